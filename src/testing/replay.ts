import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { ToolCall } from '../core/call.js';
import type { ToolEvent } from '../core/event.js';
import type { AskAnswer } from '../core/permission-question.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { assertNeeded, ifPossible, isRecord } from '../core/support/check-values.js';
import { consentOf, factsOf, type RecordedCall, type RecordedFacts, rooted } from './recorded-call.js';

/** A field of a call that differs from its record. */
export interface Divergence {
  readonly turn: number;
  readonly callId: string;
  readonly tool: string;
  /** Such as `output`, `code` or `metadata.line`. */
  readonly field: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** Options of {@link replay}. */
export interface ReplayOptions {
  readonly toolkit: Pick<Toolkit, 'execute' | 'decide'>;
  /** The root folder of the toolkit, with the same files as at the start of the recording. */
  readonly root: string;
}

/**
 * Runs the calls of a record again, turn by turn, and returns the differences. Questions get their recorded answers.
 * Times, ids and names of temporary files are ignored. A made-up value replaces each credential, since records contain
 * no credentials. Throws an Error with the line number for a file that is not a record.
 */
export async function replay(file: string, options: ReplayOptions): Promise<readonly Divergence[]> {
  assertNeeded('replay', options, 'toolkit', 'root');
  const { toolkit, root } = options;
  const found: Divergence[] = [];
  for (const lines of turnsOf(file)) {
    const calls = lines.map(({ call }) => rooted(call, root) as ToolCall);
    const turnEvents: ToolEvent[] = [];
    const caller = lines[0]?.caller;
    const answers = Object.fromEntries(lines.flatMap(({ call, facts }) => answerOf(call.id, facts, root)));
    const consents = await Promise.all(calls.map((call) => consentOf(toolkit, call, { caller, answers })));
    await toolkit.execute(calls, { ...(caller && { caller }), answers, onEvent: (event) => turnEvents.push(event) });
    for (const [index, { turn, call, facts }] of lines.entries()) {
      const events = turnEvents.filter((event) => 'callId' in event && event.callId === call.id);
      const settled = events.find((event) => event.type === 'tool-result');
      const now = settled === undefined ? {} : factsOf(events, settled.result, root, consents[index]);
      for (const [field, recorded, replayed] of differences(facts, now, ''))
        found.push({ turn, callId: call.id, tool: call.name, field, recorded, replayed });
    }
  }
  return found;
}

/** The recorded answer to the question about a call, by its id. */
function answerOf(id: string, { decided, refusal }: RecordedFacts, root: string): [string, AskAnswer][] {
  if (decided === undefined) return [];
  const message = rooted(refusal ?? '', root) as string;
  return [[id, decided === 'allow' ? 'allow-once' : { behavior: 'deny', message }]];
}

function turnsOf(file: string): readonly (readonly RecordedCall[])[] {
  const turns = new Map<number, RecordedCall[]>();
  const lines = readFileSync(file, 'utf8').split('\n');
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    const recorded = parsed(line);
    if (recorded === undefined) throw new Error(`Line ${at + 1} of ${file} is not a recorded call`);
    turns.set(recorded.turn, [...(turns.get(recorded.turn) ?? []), recorded]);
  }
  return [...turns.values()];
}

function parsed(line: string): RecordedCall | undefined {
  const value = ifPossible((): unknown => JSON.parse(line));
  const isCall = isRecord(value) && isRecord(value.call) && isRecord(value.facts);
  return isCall ? (value as unknown as RecordedCall) : undefined;
}

function differences(one: unknown, other: unknown, path: string): (readonly [string, unknown, unknown])[] {
  if (!isRecord(one) || !isRecord(other)) return isDeepStrictEqual(one, other) ? [] : [[path, one, other]];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap((name) => differences(one[name], other[name], path === '' ? name : `${path}.${name}`));
}
