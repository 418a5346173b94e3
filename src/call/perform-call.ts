import { randomUUID } from 'node:crypto';
import type { ToolCallResult } from '../core/call.js';
import { CallContext, type CallScope, type ProgressUpdate } from '../core/context.js';
import { askedPause, ToolError } from '../core/error.js';
import { toToolResult } from '../core/read-tool-result.js';
import { isRecord } from '../core/support/check-values.js';
import type { Tool } from '../core/tool.js';
import type { ToolResult } from '../core/tool-result.js';
import type { RateLimiter } from '../ports/rate-limiter.js';
import { copyForTool } from './copy-for-tool.js';
import { deadLetterInput } from './dead-letter-input.js';
import { fireAfter, fireAfterFailure } from './fire-hooks.js';
import type { AcceptedInput } from './parse-input.js';
import type { AuthorisedCall, PreparedCall } from './prepared-call.js';
import type { Report } from './report.js';
import { failureOf, type Outcome } from './run-with-deadline.js';
import { boundOutput, scrubError, scrubResult, scrubText, scrubTitle, scrubValue } from './scrub-and-cut.js';
import type { Run } from './turn-run.js';

/**
 * Runs an authorised call: takes a token from the rate limiter, checks rules and files again, announces the start,
 * executes the tool, scrubs and cuts the output, runs the hooks after the call, and announces the end. Never rejects:
 * every failure becomes a result.
 */
export async function performCall(prepared: AuthorisedCall, report: Report, run: Run): Promise<ToolCallResult> {
  run.inFlight.enter(prepared.assessment);
  try {
    const { rateLimiter } = run.settings;
    if (rateLimiter !== undefined) await takeRate(prepared, rateLimiter, run);
    const checked = prepared.checkAgain();
    if (checked !== undefined) await checked;
    run.assertLive();
    start(prepared, report, run);
    let attempts = 1;
    let executed = await executeOnce(prepared, run);
    while (!executed.ok && (await pauseBeforeRetry(prepared, executed.error, attempts, run))) {
      attempts++;
      executed = await executeOnce(prepared, run);
    }
    const result = executed.ok
      ? await succeed(prepared, executed.result, report, run)
      : await fail(prepared, executed.error, report, run);
    if (!result.ok && result.error.code !== 'interrupted') keepDeadLetter(prepared, result, attempts, run);
    report.end(result);
    return result;
  } catch (thrown) {
    return report.caught(thrown);
  } finally {
    run.inFlight.leave(prepared.assessment);
  }
}

/**
 * Takes a token from the rate limiter. If no token is left, throws `rate_limited` with the time until a retry. Throws
 * `rate_limited` also if the limiter fails or does not answer.
 */
async function takeRate({ tool }: PreparedCall, rateLimiter: RateLimiter, run: Run): Promise<void> {
  const { limits } = run.settings;
  const request = { key: run.caller.sessionId, tool: tool.name };
  const outcome: Outcome<unknown> = await run.consult('The rate limiter', limits.call.limiterTimeoutMs, (scope) =>
    rateLimiter.take(request, scope),
  );
  if (outcome.kind !== 'value') {
    const { message } = failureOf(outcome);
    throw new ToolError('rate_limited', `The rate limiter failed, so the call was refused: ${message}`);
  }
  const { ok, retryAfterMs: pauseMs }: Readonly<Record<string, unknown>> = isRecord(outcome.value) ? outcome.value : {};
  if (ok === true) return;
  // A negative pause has already ended.
  const retryAfterMs = typeof pauseMs === 'number' && !Number.isNaN(pauseMs) ? Math.max(0, pauseMs) : undefined;
  const when =
    retryAfterMs === undefined || retryAfterMs === Number.POSITIVE_INFINITY
      ? 'Do not call again in this session.'
      : `Try again in ${retryAfterMs < 1_000 ? `${Math.ceil(retryAfterMs)} ms` : `${Math.ceil(retryAfterMs / 1_000)} s`}.`;
  const message = `tool rate limit exceeded for ${tool.name}. ${when}`;
  throw new ToolError('rate_limited', message, { retryAfterMs });
}

function start({ call, tool, input, title }: PreparedCall, report: Report, run: Run): void {
  report.startedAs = tool.name;
  if (run.hasListener)
    run.emit({ type: 'tool-start', callId: call.id, name: tool.name, input: scrubValue(input.raw, run), title });
}

type Executed = { readonly ok: true; readonly result: ToolResult } | { readonly ok: false; readonly error: ToolError };

/**
 * Runs the tool once, until it ends, its deadline passes or the turn aborts. Never rejects, and resolves even for a
 * tool that ignores its signal. The tool may change its input, so it gets a copy if a later stage uses the input again.
 */
async function executeOnce({ call, tool, input, assessment }: PreparedCall, run: Run): Promise<Executed> {
  let isRunning = true;
  const send = (update: ProgressUpdate) => {
    if (isRunning) sendProgress(update, { callId: call.id, name: tool.name }, run);
  };
  const sender = run.hasListener ? send : undefined;
  const given = isUsedAgain(tool, run) ? copyForTool(input.parsed) : input.parsed;
  const outcome = await run.work(tool.timeoutMs ?? run.settings.limits.call.timeoutMs, (scope) =>
    tool.execute(given, new CallContext(call.id, call.name, scope, assessment, sender)),
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

/** Whether a retry, a dead letter or a hook can use the input after the tool has run. */
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
  // An AbortError that the tool threw by itself is a failure; only an abort of the run makes it an interruption.
  return error.code === 'interrupted' && !ToolError.is(thrown) && !run.interrupted
    ? new ToolError('execution_failed', error.message, { cause: thrown })
    : error;
}

/** Adds the output that the tool returned during its cleanup to the error of a stopped call. */
function withLate(error: ToolError, late: Outcome<ToolResult> | undefined, name: string, run: Run): ToolError {
  if (late?.kind === 'thrown') {
    const { partialOutput, metadata } = thrownBy(late.thrown, run);
    return error.with(error.message, { partialOutput, metadata });
  }
  if (late?.kind !== 'value') return error;
  const executedLate = resultOf(name, late.value);
  return executedLate.ok ? error.with(error.message, { partialOutput: executedLate.result.output }) : error;
}

/**
 * Waits before a retry; `attempts` is the number of tries so far. Resolves with false if there is no retry: the tool is
 * not idempotent, the error is not retryable, no try is left, the pause would be too long, or the run ends.
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
  // Exponential backoff with full jitter, unless the remote service asked for a pause.
  const jitterMs = Math.round(timers.random() * Math.min(retry.maxMs, retry.baseMs * 2 ** (attempt - 2)));
  const delayMs = askedPause(error) ?? jitterMs;
  // A pause above `maxMs` is not waited for; the call fails at once.
  if (!Number.isFinite(delayMs) || delayMs > retry.maxMs) return false;
  if (run.hasListener)
    run.emit({ type: 'tool-retry', callId: call.id, name: tool.name, attempt, code: error.code, delayMs });
  return await run.sleep(delayMs);
}

async function succeed(prepared: PreparedCall, result: ToolResult, report: Report, run: Run): Promise<ToolCallResult> {
  const { tool, input } = prepared;
  const scrubbed = scrubResult(result, run);
  const complete =
    input.coercions.length === 0
      ? scrubbed
      : { ...scrubbed, metadata: { ...scrubbed.metadata, coercions: notedCoercions(input, run) } };
  const bounded = { ...complete, output: await boundOutput(complete.output, tool, run) };
  if (run.settings.hooks.after.length === 0) return report.succeeded(tool.name, bounded, bounded.output, false);
  const { output, isSuppressed } = await fireAfter(prepared, bounded, report.context, run);
  const rewritten = output === bounded.output ? output : await boundOutput(output, tool, run);
  return report.succeeded(tool.name, bounded, rewritten, isSuppressed);
}

async function fail(prepared: PreparedCall, error: ToolError, report: Report, run: Run): Promise<ToolCallResult> {
  const scrubbed = scrubError(error, run);
  await fireAfterFailure(prepared, scrubbed, report.context, run);
  const text =
    scrubbed.partialOutput === undefined ? scrubbed.message : `${scrubbed.message}\n${scrubbed.partialOutput}`;
  return report.failed(prepared.tool.name, scrubbed, await boundOutput(text, prepared.tool, run), scrubbed.metadata);
}

function keepDeadLetter(
  { call, tool, input }: PreparedCall,
  result: ToolCallResult & { ok: false },
  attempts: number,
  run: Run,
): void {
  const { deadLetters, limits } = run.settings;
  if (deadLetters === undefined) return;
  const { input: kept, isWhole } = deadLetterInput(input.raw, run);
  const deadLetter = {
    id: `letter_${randomUUID()}`,
    call: { id: call.id, name: tool.name, input: kept },
    isWhole,
    error: { code: result.error.code, message: result.error.message },
    attempts,
    at: new Date().toISOString(),
  };
  const add = (scope: CallScope) => deadLetters.add(deadLetter, scope);
  // The call does not wait for its dead letter; `consult` never rejects.
  void run.consult('The dead letters', limits.resolver.timeoutMs, add, 'after');
}

const maxCoercions = 20;

/** The first coercions, scrubbed because the model chose the field names. */
function notedCoercions({ coercions }: AcceptedInput, run: Run): readonly string[] {
  const noted = coercions.slice(0, maxCoercions).map((coercion) => scrubText(coercion, run));
  return coercions.length > maxCoercions ? [...noted, `and ${coercions.length - maxCoercions} more`] : noted;
}
