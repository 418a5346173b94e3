import type { ToolCall, ToolCallResult, ToolRun } from '../core/call.js';
import { assertKnownKeys } from '../core/known-keys.js';
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
  const answers: (ToolCallResult | Promise<ToolCallResult>)[] = [];
  try {
    if (settings.registry.hasPending) await run.makeReady();
    for (const call of calls) {
      const report = new Report(call, run);
      try {
        answers.push(performCall(await prepareCall(report.call, report.context, run), report, run));
      } catch (refusal) {
        answers.push(report.caught(refusal));
      }
    }
    const results: ToolCallResult[] = [];
    for (const answer of answers) results.push(await answer);
    return { results, interrupted: run.interrupted };
  } finally {
    run.end();
  }
}
