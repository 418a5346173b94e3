import type { ToolCall, ToolCallResult, ToolRun } from '../core/call.js';
import { ToolError } from '../core/error.js';
import type { TurnOptions } from '../core/registry/turn-options.js';
import { assertNeeded, assertOptions, type OptionKinds } from '../core/support/check-values.js';
import { tell } from '../core/support/listeners.js';
import type { Tool } from '../core/tool.js';
import { checkRules } from '../permissions/warn-unmatched-names.js';
import type { SettledCall } from '../ports/suspension-store.js';
import { type CallClaims, claimCall, mayRunTwice } from './claim-call.js';
import { performCall } from './perform-call.js';
import { prepareCall } from './prepare-call.js';
import { CallWaits } from './prepared-call.js';
import { refusedEarlier } from './put-question.js';
import { readCalls } from './read-input.js';
import { Report } from './report.js';
import { type RunOptions, type RunSettings, resolveSettings, runKinds, turnKinds } from './run-options.js';
import { fitTurn, scrubText } from './scrub-and-cut.js';
import { claimKey, keptResult, nextRound, type TurnCall, type TurnEnd, type WaitingCall } from './turn-call.js';
import { type AnsweredTurn, Run } from './turn-run.js';

/** Settings of the program and of one turn. */
export interface ExecuteOptions extends RunOptions, TurnOptions {}

/**
 * Runs the model's tool calls and answers every one of them, in call order: `results[i]` answers `calls[i]`. Never
 * rejects because of a model, a tool, a hook or a host; rejects with a TypeError only for invalid `options` and an
 * invalid list of calls.
 */
export async function executeTools(calls: readonly ToolCall[], options: ExecuteOptions): Promise<ToolRun> {
  assertOptions('executeTools', options, executeKinds);
  assertNeeded('executeTools', options, 'registry');
  const settings = resolveSettings(options);
  const { toolResolver, onEvent } = options;
  checkRules(
    settings,
    { mayCome: toolResolver !== undefined, roots: [] },
    (warning) => onEvent && tell(onEvent, warning),
  );
  const end = await runCalls(
    readCalls(calls).map((call) => ({ call })),
    settings,
    options,
  );
  return { status: 'done', results: end.calls.flatMap(({ result }) => result ?? []), interrupted: end.interrupted };
}

/** The results of a turn; undefined if one of its calls waits. */
export function doneRun({ calls, interrupted }: TurnEnd): ToolRun | undefined {
  const results = calls.flatMap(({ result }) => result ?? []);
  return results.length === calls.length ? { status: 'done', results, interrupted } : undefined;
}

const executeKinds: OptionKinds<ExecuteOptions> = { ...runKinds, ...turnKinds };

interface Place {
  readonly index: number;
  /** The number of earlier calls with the same id. */
  readonly occurrence: number;
}

/**
 * Runs the calls of a turn that have no result yet. If the turn may suspend, calls that need an answer stay waiting,
 * and so do later calls that conflict with them. Pass `claims` for a turn that was suspended before.
 */
export async function runCalls(
  calls: readonly TurnCall[],
  settings: RunSettings,
  turn: AnsweredTurn,
  claims?: CallClaims,
): Promise<TurnEnd> {
  const run = new Run(settings, turn);
  const begun: Promise<TurnCall>[] = [];
  try {
    // The constructor of `Run` has registered the turn, so ending the session already stops the steps below.
    await run.chooseRegistry(turn);
    if (run.settings.registry.hasPending) await run.makeReady();
    const seen = new Map<string, number>();
    for (const [index, one] of calls.entries()) {
      const { id } = one.call;
      const place = { index, occurrence: seen.get(id) ?? 0 };
      seen.set(id, place.occurrence + 1);
      begun.push(one.result === undefined ? (await beginCall(one, place, run, claims)).end : Promise.resolve(one));
    }
    const ended = await Promise.all(begun);
    for (const [index, one] of ended.entries())
      if (one.waiting !== undefined) ended[index] = await cancelWaiting(one, index, run, claims);
    return { calls: await fitTurn(ended, run), interrupted: run.interrupted };
  } finally {
    run.end();
  }
}

/** Prepares a call and starts it; `end` resolves with the call and its result, or with the call that still waits. */
async function beginCall(
  one: TurnCall,
  place: Place,
  run: Run,
  claims: CallClaims | undefined,
): Promise<{ readonly end: Promise<TurnCall> }> {
  const { call } = one;
  const report = new Report(call, run);
  let claimed: WaitingCall | undefined;
  const settled = async (ending: TurnCall | Promise<TurnCall>, tool?: Tool): Promise<TurnCall> => {
    const end = await ending;
    if (claimed !== undefined && claims !== undefined)
      await claims.settle(claimKey(call, place.index, claimed.round), keptEnd(end, tool, claimed, run), run);
    return end;
  };
  try {
    let { waiting } = one;
    if (claims !== undefined && waiting !== undefined) {
      const taken = await claimCall({ call, waiting }, place.index, claims, run);
      if ('waiting' in taken) return { end: Promise.resolve(stayWaiting(call, taken.waiting, run)) };
      if ('result' in taken) return { end: Promise.resolve(replay(call, taken.result, run)) };
      waiting = claimed = taken.claimed;
      report.context.push(...waiting.context);
    }
    const refusal = run.approvals?.refusalOf(call, waiting?.stage.question);
    if (refusal !== undefined) throw refusedEarlier(call, waiting?.stage.question, refusal, run);
    const stage = waiting?.stage ?? { input: call.input, occurrence: place.occurrence };
    const prepared = await prepareCall(call, report.context, run, stage);
    const ended = performCall(prepared, report, run).then((result) => ({ call, result }));
    return { end: claimed === undefined ? ended : settled(ended, prepared.tool) };
  } catch (thrown) {
    const waits = thrown instanceof CallWaits ? waitingCall(thrown, claimed, report, run) : undefined;
    if (waits !== undefined) return { end: settled(stayWaiting(call, waits, run)) };
    const refusal = thrown instanceof CallWaits ? cannotWait() : thrown;
    return { end: settled({ call, result: report.caught(refusal) }) };
  }
}

/** The state of a call that waits; undefined if JSON cannot represent it. */
function waitingCall(
  { stage, footprint }: CallWaits,
  before: WaitingCall | undefined,
  report: Report,
  run: Run,
): WaitingCall | undefined {
  const context = report.context.map((text) => scrubText(text, run));
  const waits = { stage, footprint, context, round: (before?.round ?? -1) + 1 };
  try {
    JSON.stringify(waits);
    return waits;
  } catch {
    return undefined;
  }
}

function cannotWait(): ToolError {
  return new ToolError(
    'permission_denied',
    'The rewritten input is not valid JSON, so the call cannot wait for an answer.',
  );
}

/**
 * The outcome to store, which a later resume of the turn reads. If an abort stopped the call before it started, or
 * stopped a call without effects, a later resume runs the call.
 */
function keptEnd({ result, waiting }: TurnCall, tool: Tool | undefined, claimed: WaitingCall, run: Run): SettledCall {
  if (result === undefined) return { waits: waiting };
  if (result.ok || !run.isAborted) return keptResult(result);
  const { code } = result.error;
  const isStopped = code === 'cancelled' || (code === 'interrupted' && tool !== undefined && mayRunTwice(tool));
  return isStopped ? { waits: nextRound(claimed) } : keptResult(result);
}

/**
 * Returns the result that a call got in an earlier resume. If this result is a refusal that ends the turn, the turn
 * ends now too.
 */
function replay(call: ToolCall, result: ToolCallResult, run: Run): TurnCall {
  if (!result.ok && result.error.interrupt) run.interrupt();
  return { call, result };
}

function stayWaiting(call: ToolCall, waiting: WaitingCall, run: Run): TurnCall {
  run.waiting.push(waiting.footprint);
  return { call, waiting };
}

/**
 * Cancels a waiting call if the turn was stopped. If a refusal ended the turn, no later resume runs the call; after an
 * abort, a later resume may run it.
 */
async function cancelWaiting(
  one: TurnCall,
  index: number,
  run: Run,
  claims: CallClaims | undefined,
): Promise<TurnCall> {
  const { call, waiting } = one;
  if (waiting === undefined || !run.interrupted) return one;
  const result = new Report(call, run).caught(run.cancellation());
  if (claims === undefined || run.isAborted) return { call, result };
  const key = claimKey(call, index, waiting.round);
  const claimed = await claims.claim(key, keptResult(result), run).catch(() => undefined);
  if (claimed === 'new') await claims.settle(key, keptResult(result), run);
  return { call, result };
}
