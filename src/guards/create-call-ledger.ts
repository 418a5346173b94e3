import type { Caller, CallScope } from '../core/context.js';
import type { AnyErrorCode } from '../core/error.js';
import type { ToolEvent } from '../core/event.js';
import { assertOptions, kindOf, type OptionKind, type OptionKinds } from '../core/support/check-values.js';
import { LatestMap } from '../core/support/latest-map.js';
import { cutTo } from '../core/text/cut.js';
import type { HookEntry, PreToolUseAnswer, PreToolUseEvent, ToolHooks } from '../ports/hooks.js';
import { type CallCounts, countsOf, noCounts, sumOf } from './call-counts.js';

/** Options of {@link createLedger}. */
export interface LedgerOptions {
  /**
   * The maximum number of calls of one session, all its agents together; calls that reach the hook of the ledger count.
   * A further call fails with `limit_reached`. Beyond 10,000 sessions, the count of the session that has been idle
   * longest is reset to 0. Default Infinity.
   */
  readonly maxCalls?: number | undefined;
  /**
   * Prices of started calls, in a unit of your choice, by matcher. Matchers work as in hooks: they ignore letter case
   * and match aliases. The first matching entry counts. Default none.
   */
  readonly prices?: Readonly<Record<string, number>> | undefined;
}

/** Selects the calls of a report. Default: all. */
export interface LedgerQuery {
  readonly sessionId?: string | undefined;
  /** A subagent, or `main` for the agent without an id. */
  readonly agentId?: string | undefined;
  /** The name of a tool, as in its results. */
  readonly tool?: string | undefined;
}

/** The session, agent and tool that a row counts. */
export interface LedgerKey {
  readonly sessionId: string;
  /** `main` for the agent without an id. */
  readonly agentId: string;
  readonly tool: string;
}

/** One call that failed or was refused. */
export interface LedgerFailure extends LedgerKey {
  readonly callId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  readonly code: AnyErrorCode;
  /** The scrubbed message. Beyond 2,000 characters, its middle is omitted. */
  readonly message: string;
}

/** Counts of the selected calls. */
export interface LedgerReport extends CallCounts {
  /** The same counts by session, agent and tool; the row used last comes last. */
  readonly rows: readonly (LedgerKey & CallCounts)[];
  /** The selected failures among the last 100, newest last. */
  readonly lastFailures: readonly LedgerFailure[];
}

/** A record of the calls of a toolkit. */
export interface Ledger {
  /** Pass this as `onEvent` of `createToolkit`, or call it with both arguments in your own listener. */
  readonly onEvent: (event: ToolEvent, caller?: Caller) => void;
  /** Pass these as `hooks`, after all other hooks. They enforce `maxCalls` and apply the prices. */
  readonly hooks: ToolHooks;
  /** Throws a TypeError for an unknown field. */
  report(query?: LedgerQuery): LedgerReport;
}

const priceList: OptionKind = {
  takes: 'an object of numbers from 0 up by the names of tools',
  holds: (value) => kindOf.record.holds(value) && Object.values(value as object).every(isPrice),
};
const kinds: OptionKinds<LedgerOptions> = { maxCalls: kindOf.count, prices: priceList };
const queryKinds: OptionKinds<LedgerQuery> = { sessionId: kindOf.text, agentId: kindOf.text, tool: kindOf.text };
const maxFailures = 100;
const maxMessageChars = 2_000;
const maxSessions = 10_000;
const maxRows = 10_000;
const maxOpenCalls = 10_000;
/** The row to which the least recently used rows are added, so that the sums stay correct. */
const others: LedgerKey = { sessionId: '(others)', agentId: '(others)', tool: '(others)' };
/** The caller for an event without a caller, if no hook saw the call. */
const unknown: Caller = { sessionId: '(unknown)' };

interface OpenCall {
  readonly caller: Caller;
  price?: number;
  /** Measured by the hook, because events contain a shortened input. */
  charsIn?: number;
  hasStarted?: true;
}

/**
 * Counts calls in memory by session, agent and tool: calls, failures by code, durations, characters, cost, and the last
 * 100 failures. All texts come from events, so they are already scrubbed. At most 10,000 rows are kept; the least
 * recently used ones are added to a row named `(others)`. Throws a TypeError for invalid options.
 */
export function createLedger(options: LedgerOptions = {}): Ledger {
  assertOptions('createLedger', options, kinds);
  const { maxCalls = Number.POSITIVE_INFINITY, prices = {} } = options;
  const perSession = new LatestMap<string, number>(maxSessions);
  const open = new LatestMap<string, OpenCall>(maxOpenCalls);
  const rows = new LatestMap<string, { readonly key: LedgerKey; readonly counts: CallCounts }>(maxRows, {
    onDrop: (_, { counts }) => count(others, counts),
  });
  const failures: LedgerFailure[] = [];

  const callOf = (callId: string, caller: Caller): OpenCall => {
    const key = keyOf(caller.sessionId, agentOf(caller), callId);
    const call = open.get(key) ?? { caller };
    open.set(key, call);
    return call;
  };
  /** Finds the caller of a call by its id, for an event that the host's listener passed on without the caller. */
  const callerOf = (callId: string): Caller =>
    [...open].findLast(([key]) => key.endsWith(keyOf('', callId)))?.[1].caller ?? unknown;
  const count = (key: LedgerKey, more: CallCounts): void => {
    const name = keyOf(key.sessionId, key.agentId, key.tool);
    rows.set(name, { key, counts: sumOf(rows.get(name)?.counts ?? noCounts, more) });
  };
  const onEvent = (event: ToolEvent, eventCaller?: Caller): void => {
    if (event.type !== 'tool-start' && event.type !== 'tool-result') return;
    const { callId, name: tool } = event;
    const caller = eventCaller ?? callerOf(callId);
    const call = callOf(callId, caller);
    if (event.type === 'tool-start') {
      call.charsIn ??= charsOf(event.input);
      call.hasStarted = true;
      return;
    }
    open.delete(keyOf(caller.sessionId, agentOf(caller), callId));
    const key = { sessionId: caller.sessionId, agentId: agentOf(caller), tool };
    const { result } = event;
    count(key, countsOf(result, call.hasStarted ? call : {}));
    if (result.ok) return;
    const { code, message } = result.error;
    const { durationMs } = result;
    failures.push({ ...key, callId, at: Date.now(), durationMs, code, message: cutTo(maxMessageChars, message) });
    if (failures.length > maxFailures) failures.shift();
  };

  const admit = ({ callId, input }: PreToolUseEvent, { caller }: CallScope): PreToolUseAnswer => {
    callOf(callId, caller).charsIn = charsOf(input);
    const { sessionId } = caller;
    const made = perSession.get(sessionId) ?? 0;
    const reason = `This session has used all its ${maxCalls} tool calls. Answer with what you have.`;
    if (made >= maxCalls) return { behavior: 'deny', code: 'limit_reached', reason };
    perSession.set(sessionId, made + 1);
    return {};
  };
  const hooks: ToolHooks = {
    PreToolUse: [
      ...Object.entries(prices).map(([matcher, price]): HookEntry<PreToolUseEvent, PreToolUseAnswer> => {
        return { matcher, hooks: [({ callId }, { caller }) => void (callOf(callId, caller).price ??= price)] };
      }),
      { hooks: [admit] },
    ],
    onSessionEnd: (sessionId) => void perSession.delete(sessionId),
  };

  const report = (query: LedgerQuery = {}): LedgerReport => {
    assertOptions('report', query, queryKinds);
    const isSelected = (key: LedgerKey) =>
      key.sessionId === (query.sessionId ?? key.sessionId) &&
      key.agentId === (query.agentId ?? key.agentId) &&
      key.tool === (query.tool ?? key.tool);
    const selected = [...rows.values()].flatMap(({ key, counts }) => (isSelected(key) ? { ...key, ...counts } : []));
    return { ...selected.reduce(sumOf, noCounts), rows: selected, lastFailures: failures.filter(isSelected) };
  };
  return { onEvent, hooks, report };
}

function charsOf(input: unknown): number {
  return JSON.stringify(input)?.length ?? 0;
}

function agentOf({ agentId = 'main' }: Caller): string {
  return agentId;
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\0');
}

function isPrice(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
