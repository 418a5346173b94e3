import type { ToolCall, ToolCallResult, ToolRun } from '../core/call.js';
import { assertOptions, type OptionKinds } from '../core/support/option-kinds.js';
import { fitTurn } from './fit-turn.js';
import { readCalls } from './input/read-calls.js';
import { performCall } from './perform-call.js';
import { prepareCall } from './prepare-call.js';
import { Report } from './report.js';
import { Run, type Turn } from './run.js';
import { runKinds, turnKinds } from './run-kinds.js';
import { type RunOptions, type RunSettings, resolveSettings } from './settings.js';

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

/** {@link executeTools} with settings that were resolved before. */
export async function runTurn(calls: readonly ToolCall[], settings: RunSettings, turn: Turn): Promise<ToolRun> {
  const taken = readCalls(calls);
  const run = new Run(settings, turn);
  const answers: (ToolCallResult | Promise<ToolCallResult>)[] = [];
  try {
    if (settings.registry.hasPending) await run.makeReady();
    for (const call of taken) {
      const report = new Report(call, run);
      try {
        answers.push(performCall(await prepareCall(report.call, report.context, run), report, run));
      } catch (refusal) {
        answers.push(report.caught(refusal));
      }
    }
    const results: ToolCallResult[] = [];
    let chars = 0;
    for (const answer of answers) {
      const result = await answer;
      chars += result.output.length;
      results.push(result);
    }
    if (chars > settings.limits.output.maxTurnChars) await fitTurn(results, chars, run);
    return { results, interrupted: run.interrupted };
  } finally {
    run.end();
  }
}
