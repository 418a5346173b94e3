import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { PlainCallResult, ToolCall } from '../core/call.js';
import type { Caller } from '../core/context.js';
import type { ToolEvent } from '../core/event.js';
import type { Answers } from '../core/permission-question.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { isRecord } from '../core/support/is-record.js';
import { readAnswer } from '../permissions/read-decision.js';
import { scrubCredentials } from '../secrets/scrubber.js';

/** One call as a line of a record. Paths below the root begin with `<root>`; credentials are gone. */
export interface RecordedCall {
  /** The turn it was in, from 1; calls of one turn were started together, in the order of their lines. */
  readonly turn: number;
  readonly call: ToolCall;
  readonly caller?: Caller | undefined;
  /** When the turn began, ISO 8601. Does not count in a comparison, as `durationMs`. */
  readonly at: string;
  readonly durationMs: number;
  /** What may differ from one run to the next, by its name. */
  readonly facts: RecordedFacts;
}

/** What a call came to. */
export interface RecordedFacts {
  /** The input that the tool got, after coercion and what permission and hooks rewrote; absent for a refused call. */
  readonly ran?: unknown;
  /** What was asked, and what the answer was. */
  readonly asked?: string;
  readonly decided?: 'allow' | 'deny';
  /** What the model was told with a no. */
  readonly refusal?: string;
  /** The codes of attempts that were tried again. */
  readonly retries?: readonly string[];
  readonly refused?: string;
  readonly ok: boolean;
  readonly code?: string;
  /** Text; of more than 2,000 characters how many, and their hash. */
  readonly output: string;
  readonly title?: string;
  /** What hooks added, and whether they hid the output. */
  readonly additionalContext?: string;
  readonly suppressOutput?: boolean;
  readonly attachments?: readonly string[];
  readonly metadata?: unknown;
}

/** What was asked about a call, and the answer. */
export type Consent = Pick<RecordedFacts, 'asked' | 'decided' | 'refusal'>;

const maxOutputChars = 2_000;

/** Values that are other ones each time: clocks, processes, files that are made for one run. */
const passing = /(?:Ms|At|Id|Ids)$|^(?:id|pid|mtime|version|at|outputFile|errorFile|survivors)$/;

/** The line of a call, from what was heard of it. */
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
  const attachments = result.ok
    ? result.attachments?.map(({ mediaType, data }) => `${mediaType} ${hashOf(data)}`)
    : undefined;
  const facts = {
    ran: find('tool-start')?.input,
    asked: find('permission-ask')?.reason,
    decided: find('permission-decision')?.behavior,
    refusal: find('permission-decision')?.message,
    ...consent,
    retries: retries.length > 0 ? retries : undefined,
    refused: find('tool-refused')?.code,
    ok,
    code: result.ok ? undefined : result.error.code,
    output,
    title: result.ok ? result.title : undefined,
    additionalContext,
    suppressOutput,
    attachments,
    metadata: metadata === undefined ? undefined : steadyOf(metadata),
  };
  const plain = neutral(facts, root) as unknown as RecordedFacts;
  return { ...plain, output: shortOf(plain.output) };
}

/** What is asked about a call whose answer stands beforehand, so that nobody is told, and that answer. */
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
    : { asked: reason, decided: 'deny', refusal: verdict.message };
}

type Change = (text: string) => string;

/** The same with the root as `<root>` and without credentials; absent is left out. */
export function portable(value: unknown, root: string, scrub: Change, more: Change = (text) => text): unknown {
  const text = JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === 'string' ? more(scrub(entry).replaceAll(root, '<root>')) : entry,
  );
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

/** The same without times and names of temporary files: for what is compared, and never run. */
function neutral(value: unknown, root: string): unknown {
  return portable(value, root, scrubCredentials, (text) =>
    text
      .replaceAll(tmpdir(), '<tmp>')
      .replace(/<tmp>\/[\w.-]*toolwright-[^\s'"]*/g, '<tmp>')
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, '<time>')
      .replace(/\b\d+(?:\.\d+)? ?(?:ms|s|seconds)\b|(?<=\bduration_ms:? )[\d.]+/g, '<duration>'),
  );
}

/** Stands for credentials: its form is known, so that it is hidden again wherever it is shown. */
const madeUp = ['ghp', 'a1B2'.repeat(9)].join('_');

/** What was recorded as `<root>`, as a path of this root, with a made-up credential in the place of each. */
export function rooted(value: unknown, root: string): unknown {
  const text = JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === 'string' ? entry.replaceAll('<root>', root).replaceAll('[REDACTED]', madeUp) : entry,
  );
  return JSON.parse(text) as unknown;
}

function steadyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(steadyOf);
  if (!isRecord(value)) return value;
  const steady = Object.entries(value).filter(([name]) => !passing.test(name));
  return Object.fromEntries(steady.map(([name, entry]) => [name, steadyOf(entry)]));
}

function shortOf(text: string): string {
  return text.length <= maxOutputChars ? text : `${text.length} characters, ${hashOf(text)}`;
}

function hashOf(text: string): string {
  return `sha256 ${createHash('sha256').update(text).digest('hex')}`;
}
