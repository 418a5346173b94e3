import { CallContext, type ProgressUpdate } from '../core/context.js';
import { askedPause, ToolError } from '../core/error.js';
import type { Tool, ToolResult } from '../core/tool.js';
import { toToolResult } from '../core/tool-result.js';
import { copyForTool } from './input/copy-for-tool.js';
import type { PreparedCall } from './run/prepared-call.js';
import type { Run } from './run/run.js';
import { scrubTitle, scrubValue } from './run/scrub-result.js';
import type { Outcome } from './run/supervisor.js';

/** What became of an execution. */
type Executed = { readonly ok: true; readonly result: ToolResult } | { readonly ok: false; readonly error: ToolError };

/** Runs the tool, again where that is harmless and its failure may pass; `attempts` says how often it was tried. */
export async function executeCall(prepared: PreparedCall, run: Run): Promise<Executed & { readonly attempts: number }> {
  for (let attempts = 1; ; attempts++) {
    const executed = await executeOnce(prepared, run);
    if (executed.ok || !(await pauseBeforeRetry(prepared, executed.error, attempts, run)))
      return { ...executed, attempts };
  }
}

/**
 * Runs the tool once, under abort and deadline. Never throws, and always answers, even for a tool that ignores its
 * signal. A tool gets the input itself only where nobody needs it afterwards.
 */
async function executeOnce({ call, tool, input }: PreparedCall, run: Run): Promise<Executed> {
  let isRunning = true;
  const send = (update: ProgressUpdate) => {
    if (isRunning) sendProgress(update, { callId: call.id, name: tool.name }, run);
  };
  const given = isUsedAgain(tool, run) ? copyForTool(input.parsed) : input.parsed;
  const outcome = await run.work(tool.timeoutMs ?? run.settings.limits.call.timeoutMs, (scope) =>
    tool.execute(given, new CallContext(call.id, call.name, scope, run.hasListener ? send : undefined)),
  );
  isRunning = false;
  return executed(outcome, tool.name, run);
}

function sendProgress(update: ProgressUpdate, of: { readonly callId: string; readonly name: string }, run: Run): void {
  if (typeof update !== 'object' || update === null) return;
  const { title, metadata } = update;
  run.emit({
    type: 'tool-progress',
    ...of,
    ...(title === undefined ? {} : { title: scrubTitle(String(title), run) }),
    ...(metadata === undefined ? {} : { metadata: scrubValue(metadata, run) }),
  });
}

/** Whether an input is tried again, recorded or shown after the tool had it, which may have changed it by then. */
function isUsedAgain(tool: Tool, { settings: { retry, deadLetters, hooks } }: Run): boolean {
  if (deadLetters !== undefined || hooks.after.length > 0 || hooks.afterFailure.length > 0) return true;
  return retry.maxAttempts > 1 && tool.idempotent;
}

function executed(outcome: Outcome<ToolResult>, name: string, run: Run): Executed {
  if (outcome.kind === 'value') return resultOf(name, outcome.value);
  if (outcome.kind === 'thrown') return { ok: false, error: thrownBy(outcome.thrown, run) };
  return { ok: false, error: withLate(outcome.error, outcome.late, name, run) };
}

function resultOf(name: string, value: unknown): Executed {
  try {
    return { ok: true, result: toToolResult(name, value) };
  } catch (thrown) {
    return { ok: false, error: ToolError.from(thrown) };
  }
}

function thrownBy(thrown: unknown, run: Run): ToolError {
  const error = ToolError.from(thrown);
  // An AbortError of the tool's own making is a failure; only the run decides that it was interrupted.
  return error.code === 'interrupted' && !ToolError.is(thrown) && !run.interrupted
    ? new ToolError('execution_failed', error.message, { cause: thrown })
    : error;
}

/** A stopped call keeps what the tool could still say while it cleaned up. */
function withLate(error: ToolError, late: Outcome<ToolResult> | undefined, name: string, run: Run): ToolError {
  if (late?.kind === 'thrown') {
    const { partialOutput, metadata } = thrownBy(late.thrown, run);
    return error.with(error.message, {
      ...(partialOutput === undefined ? {} : { partialOutput }),
      ...(metadata === undefined ? {} : { metadata }),
    });
  }
  if (late?.kind !== 'value') return error;
  const executedLate = resultOf(name, late.value);
  return executedLate.ok ? error.with(error.message, { partialOutput: executedLate.result.output }) : error;
}

/**
 * Waits before a failed call is tried again: `attempts` is how often it was tried. False where it is not to be tried
 * again, because that is not harmless, its failure will not pass, it was tried often enough, the wait would be too
 * long, or the run ends.
 */
async function pauseBeforeRetry(
  { call, tool }: PreparedCall,
  error: ToolError,
  attempts: number,
  run: Run,
): Promise<boolean> {
  const { retry, timers } = run.settings;
  if (attempts >= retry.maxAttempts || !tool.idempotent || !error.retryable || run.interrupted) return false;
  const attempt = attempts + 1;
  // Exponential backoff with full jitter; a wait that the other side asks for is kept.
  const jitterMs = Math.round(timers.random() * Math.min(retry.maxMs, retry.baseMs * 2 ** (attempt - 2)));
  const delayMs = askedPause(error) ?? jitterMs;
  // One that is longer is not worth it.
  if (!Number.isFinite(delayMs) || delayMs > retry.maxMs) return false;
  if (run.hasListener)
    run.emit({ type: 'tool-retry', callId: call.id, name: tool.name, attempt, code: error.code, delayMs });
  return await run.sleep(delayMs);
}
