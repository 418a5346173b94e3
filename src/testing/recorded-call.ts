import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { PlainCallResult, ToolCall } from '../core/call.js';
import type { Caller } from '../core/context.js';
import type { ToolEvent } from '../core/event.js';
import type { Answers } from '../core/permission-question.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { isRecord } from '../core/support/check-values.js';
import { readAnswer } from '../ports/parse-decision.js';
import { scrubCredentials } from '../secrets/scrubber.js';

/** A call as a line of a record. Paths below the root begin with `<root>`; credentials are removed. */
export interface RecordedCall {
  /** The number of the call's turn, from 1. Calls of one turn were started together, in the order of their lines. */
  readonly turn: number;
  readonly call: ToolCall;
  readonly caller?: Caller | undefined;
  /** When the turn began, ISO 8601. Comparisons ignore this time and `durationMs`. */
  readonly at: string;
  readonly durationMs: number;
  /** The fields that a replay compares. */
  readonly facts: RecordedFacts;
}

/** The outcome of a call. */
export interface RecordedFacts {
  /** The input that the tool got, after coercion and rewrites by permission and hooks; absent for a refused call. */
  readonly ran?: unknown;
  /** The reason of the permission question. The answer is in `decided`. */
  readonly asked?: string;
  readonly decided?: 'allow' | 'deny';
  /** The message of a denial. */
  readonly refusal?: string;
  /** The error codes of attempts that were retried. */
  readonly retries?: readonly string[];
  readonly refused?: string;
  readonly ok: boolean;
  readonly code?: string;
  /** The output text. If it is longer than 2,000 characters: only its length and hash. */
  readonly output: string;
  readonly title?: string;
  /** Text that hooks added. */
  readonly additionalContext?: string;
  /** Whether hooks hid the output. */
  readonly suppressOutput?: boolean;
  readonly attachments?: readonly string[];
  readonly metadata?: unknown;
}

/** The question about a call, and its answer. */
export type Consent = Pick<RecordedFacts, 'asked' | 'decided' | 'refusal'>;

const maxOutputChars = 2_000;

/** Metadata that differs in each run: clocks, processes, temporary files. */
const transientFields = /(?:Ms|At|Id|Ids)$|^(?:id|pid|mtime|version|at|outputFile|errorFile|survivors)$/;

/** Makes the facts of a call from its events and result. */
export function factsOf(
  events: readonly ToolEvent[],
  result: PlainCallResult,
  root: string,
  consent: Consent = {},
): RecordedFacts {
  const find = <Type extends ToolEvent['type']>(type: Type) =>
    events.find((event): event is Extract<ToolEvent, { type: Type }> => event.type === type);
  const retries = events.flatMap((event) => (event.type === 'tool-retry' ? [event.code] : []));
  const { ok, output, metadata, additionalContext, suppressOutput } = result;
  const { behavior: decided, message: refusal } = find('permission-decision') ?? {};
  const attached = result.ok ? result.attachments : undefined;
  const facts = {
    ran: find('tool-start')?.input,
    ...{ asked: find('permission-ask')?.reason, decided, refusal, ...consent },
    retries: retries.length > 0 ? retries : undefined,
    refused: find('tool-refused')?.code,
    ...{ ok, output, additionalContext, suppressOutput },
    ...(result.ok ? { title: result.title } : { code: result.error.code }),
    attachments: attached?.map(({ mediaType, data }) => `${mediaType} ${hashOf(data)}`),
    metadata: metadata === undefined ? undefined : withoutTransient(metadata),
  };
  const plain = neutral(facts, root) as unknown as RecordedFacts;
  return { ...plain, output: shortOf(plain.output) };
}

/**
 * The question about a call and its answer, if `answers` contains the answer. The events of a call do not contain such
 * a question.
 */
export async function consentOf(
  toolkit: Pick<Toolkit, 'decide'>,
  call: ToolCall,
  { caller, answers = {} }: { readonly caller?: Caller | undefined; readonly answers?: Answers | undefined },
): Promise<Consent> {
  if (Object.keys(answers).length === 0) return {};
  const decision = await toolkit.decide(call, { caller });
  if (decision.behavior !== 'ask') return {};
  const { id, tool, reason } = decision.question;
  const answer = answers[id] ?? answers[call.id];
  if (answer === undefined) return {};
  const verdict = readAnswer(answer, tool);
  return verdict.behavior === 'allow'
    ? { asked: reason, decided: 'allow' }
    : { asked: reason, decided: 'deny', refusal: verdict.reason ?? '' };
}

type Change = (text: string) => string;

/** Copies a value. Replaces the root by `<root>`, and removes credentials and undefined fields. */
export function portable(value: unknown, root: string, scrub: Change, more: Change = (text) => text): unknown {
  const text = JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === 'string' ? more(withoutRoot(scrub(entry), root)) : entry,
  );
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

/** Replaces the root, unless a longer name begins with it: with the root `/work`, `/work2` is kept. */
function withoutRoot(text: string, root: string): string {
  const [start = '', ...rest] = text.split(root);
  const next = (part: string) => `${/^(?:[\p{L}\p{N}_-]|\.\w)/u.test(part) ? root : '<root>'}${part}`;
  return start + rest.map(next).join('');
}

/** Copies a value without times and names of temporary files, for comparisons only. */
function neutral(value: unknown, root: string): unknown {
  return portable(value, root, scrubCredentials, (text) =>
    text
      .replaceAll(tmpdir(), '<tmp>')
      .replace(/<tmp>\/[\w.-]*toolwright-[^\s'"]*/g, '<tmp>')
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, '<time>')
      .replace(/\b\d+(?:\.\d+)? ?(?:ms|s|seconds)\b|(?<=\bduration_ms:? )[\d.]+/g, '<duration>'),
  );
}

/** A made-up credential in a known form, which the scrubber hides again. */
const madeUp = ['ghp', 'a1B2'.repeat(9)].join('_');

/** Replaces `<root>` by the root, and `[REDACTED]` by a made-up credential. */
export function rooted(value: unknown, root: string): unknown {
  const text = JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === 'string' ? entry.replaceAll('<root>', root).replaceAll('[REDACTED]', madeUp) : entry,
  );
  return JSON.parse(text) as unknown;
}

function withoutTransient(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTransient);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !transientFields.test(name));
  return Object.fromEntries(kept.map(([name, entry]) => [name, withoutTransient(entry)]));
}

function shortOf(text: string): string {
  return text.length <= maxOutputChars ? text : `${text.length} characters, ${hashOf(text)}`;
}

function hashOf(text: string): string {
  return `sha256 ${createHash('sha256').update(text).digest('hex')}`;
}
