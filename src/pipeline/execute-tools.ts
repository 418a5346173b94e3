import type { ToolCall, ToolCallResult, ToolRun } from '../core/call.js';
import { assertOptions, type OptionKinds } from '../core/support/option-kinds.js';
import { assertNotRefused } from './consent/assert-not-refused.js';
import { CallWaits } from './consent/call-waits.js';
import { fitTurn } from './fit-turn.js';
import { readCalls } from './input/read-calls.js';
import { performCall } from './perform-call.js';
import { prepareCall } from './prepare-call.js';
import { Report } from './report.js';
import { type AnsweredTurn, Run, type Turn } from './run/run.js';
import { runKinds, turnKinds } from './run/run-kinds.js';
import { type RunOptions, type RunSettings, resolveSettings } from './run/settings.js';
import type { CallClaims } from './suspension/call-claims.js';
import { plainResult } from './suspension/plain-result.js';
import { takeUp } from './suspension/take-up.js';
import { claimKey, type TurnCall, type TurnEnd } from './suspension/turn-call.js';

/** What a turn runs under and who asks. */
export interface ExecuteOptions extends RunOptions, Turn {}

/**
 * Runs the model's tool calls and answers every one of them, in call order: `results[i]` answers `calls[i]`. Never
 * rejects for anything a model, a tool, a hook or a host did; only a mistake in `options` throws a TypeError, and so
 * does a list of calls that is none.
 */
export async function executeTools(calls: readonly ToolCall[], options: ExecuteOptions): Promise<ToolRun> {
  assertOptions('executeTools', options, executeKinds);
  return await runTurn(calls, resolveSettings(options), options);
}

const executeKinds: OptionKinds<ExecuteOptions> = { ...runKinds, ...turnKinds };

/** A turn that does not suspend. */
async function runTurn(calls: readonly ToolCall[], settings: RunSettings, turn: AnsweredTurn): Promise<ToolRun> {
  const ended = await runCalls(
    readCalls(calls).map((call) => ({ call })),
    settings,
    turn,
  );
  return { status: 'done', results: ended.calls.flatMap(({ result }) => result ?? []), interrupted: ended.interrupted };
}

/**
 * Runs what is left to do of the calls of a turn. Those that wait for answers are left waiting where the turn suspends,
 * with those after them that touch the same. `claims` are needed for a turn that was suspended before.
 */
export async function runCalls(
  calls: readonly TurnCall[],
  settings: RunSettings,
  turn: AnsweredTurn,
  claims?: CallClaims,
): Promise<TurnEnd> {
  const run = new Run(settings, turn);
  const begun: (TurnCall | Promise<TurnCall>)[] = [];
  try {
    if (settings.registry.hasPending) await run.makeReady();
    for (const [index, one] of calls.entries())
      begun.push(one.result === undefined ? (await beginCall(one, index, run, claims)).end : one);
    const ended: TurnCall[] = [];
    for (const one of begun) ended.push(await one);
    return { calls: await settleAll(ended, run), interrupted: run.interrupted };
  } finally {
    run.end();
  }
}

/** Begins a call when those before it let it; its end comes later. */
async function beginCall(
  one: TurnCall,
  index: number,
  run: Run,
  claims: CallClaims | undefined,
): Promise<{ readonly end: TurnCall | Promise<TurnCall> }> {
  const { call, waiting } = one;
  const report = new Report(call, run);
  if (waiting !== undefined) report.context.push(...waiting.context);
  const question = waiting?.stage.question;
  let isClaimed = false;
  const settled = (end: TurnCall): TurnCall | Promise<TurnCall> => {
    if (!isClaimed || claims === undefined) return end;
    const kept = end.result === undefined ? { waits: end.waiting } : plainResult(end.result);
    return claims.settle(claimKey(call, index, waiting?.round ?? 0), kept, run).then(() => end);
  };
  try {
    if (claims !== undefined && waiting !== undefined) {
      if (question !== undefined && run.approvals?.isAnswered(question) === false)
        return { end: hold(one, waiting, run) };
      const earlier = await takeUp(one, index, claims, run);
      if (earlier?.waiting !== undefined) return { end: hold(earlier, earlier.waiting, run) };
      if (earlier !== undefined) return { end: earlier };
      isClaimed = true;
    }
    assertNotRefused(call, question, run);
    const performed = performCall(await prepareCall(call, report.context, run, waiting?.stage), report, run);
    return { end: performed.then((result) => settled({ call, result })) };
  } catch (refusal) {
    if (!(refusal instanceof CallWaits)) return { end: settled({ call, result: report.caught(refusal) }) };
    const { stage, footprint } = refusal;
    const again = { stage, footprint, context: report.context, round: (waiting?.round ?? -1) + 1 };
    return { end: settled(hold({ call }, again, run)) };
  }
}

function hold({ call }: TurnCall, waiting: NonNullable<TurnCall['waiting']>, run: Run): TurnCall {
  run.waiting.push(waiting.footprint);
  return { call, waiting };
}

/** Cancels what waits where the turn was stopped, and brings the results within what a turn may come to. */
async function settleAll(calls: readonly TurnCall[], run: Run): Promise<readonly TurnCall[]> {
  const ended = calls.map((one) =>
    one.waiting !== undefined && run.interrupted
      ? { call: one.call, result: new Report(one.call, run).caught(run.cancellation()) }
      : one,
  );
  const results: ToolCallResult[] = ended.flatMap(({ result }) => result ?? []);
  const chars = results.reduce((sum, { output }) => sum + output.length, 0);
  if (chars <= run.settings.limits.output.maxTurnChars) return ended;
  await fitTurn(results, chars, run);
  let next = 0;
  return ended.map((one) => (one.result === undefined ? one : { ...one, result: results[next++] }));
}
