import type { ToolCall, ToolCallResult, ToolRun } from '../core/call.js';
import { assertKnownKeys } from '../core/known-keys.js';
import type { Candidate } from './candidate.js';
import { performCall } from './perform-call.js';
import { prepareCall } from './prepare-call.js';
import { Report } from './report.js';
import { Run, type Turn } from './run.js';
import { type RunOptions, type RunSettings, resolveSettings, runKeys } from './settings.js';

/** What a turn runs under and who asks. */
export interface ExecuteOptions extends RunOptions, Turn {}

/**
 * Runs the model's tool calls and answers every one of them, in call order: `results[i]` answers `calls[i]`.
 * Never rejects for anything a model, a tool, a hook or a host did; only a mistake in `options` throws a TypeError.
 */
export async function executeTools(calls: readonly ToolCall[], options: ExecuteOptions): Promise<ToolRun> {
  assertKnownKeys('executeTools', options, executeKeys);
  return await runTurn(calls, resolveSettings(options), options);
}

const executeKeys = { ...runKeys, caller: true, signal: true, onEvent: true } satisfies Record<keyof ExecuteOptions, true>;

/** {@link executeTools} with settings that were resolved before. */
export async function runTurn(calls: readonly ToolCall[], settings: RunSettings, turn: Turn): Promise<ToolRun> {
  const run = new Run(settings, turn);
  const answers: Promise<ToolCallResult>[] = [];
  try {
    if (settings.registry.hasPending) await run.makeReady();
    for (const call of calls) answers.push((await begin(call, run)).answer);
    return { results: await Promise.all(answers), interrupted: run.interrupted };
  } finally {
    run.end();
  }
}

/** Prepares a call, one at a time, and starts it. The answer is wrapped so that waiting for the start is not waiting for the end. */
async function begin(call: ToolCall, run: Run): Promise<{ readonly answer: Promise<ToolCallResult> }> {
  const report = new Report(call, run);
  try {
    const candidate = await prepareCall(report.call, report.context, run);
    return { answer: run.inFlight.start(candidate.footprint, (leave) => carry(candidate, report, leave, run)) };
  } catch (thrown) {
    return { answer: Promise.resolve(report.caught(thrown)) };
  }
}

/** Sees a started call to its result, whatever happens on the way. */
async function carry(candidate: Candidate, report: Report, leave: () => void, run: Run): Promise<ToolCallResult> {
  try {
    return await performCall(candidate, report, run);
  } catch (thrown) {
    return report.caught(thrown);
  } finally {
    leave();
  }
}
