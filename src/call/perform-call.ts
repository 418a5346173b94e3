import { randomUUID } from 'node:crypto';
import type { ToolCallResult } from '../core/call.js';
import { ToolError } from '../core/error.js';
import { isRecord } from '../core/support/is-record.js';
import type { ToolResult } from '../core/tool.js';
import { boundOutput } from './bound-output.js';
import { deadLetterInput } from './dead-letter-input.js';
import { executeCall } from './execute-call.js';
import { fireAfter, fireAfterFailure } from './fire-hooks.js';
import type { AcceptedInput } from './input/parse-input.js';
import type { Report } from './report.js';
import type { PreparedCall } from './run/prepared-call.js';
import type { Run } from './run/run.js';
import { scrubError, scrubResult, scrubText, scrubValue } from './run/scrub-result.js';
import { failureOf, type Outcome } from './run/supervisor.js';

/**
 * Acts: pays, starts, executes, scrubs, bounds, fires the hooks that follow, ends. Never rejects: sees a call to its
 * result, whatever happens on the way.
 */
export async function performCall(prepared: PreparedCall, report: Report, run: Run): Promise<ToolCallResult> {
  run.inFlight.enter(prepared.assessment);
  try {
    await takeRate(prepared, run);
    run.assertLive();
    start(prepared, report, run);
    const executed = await executeCall(prepared, run);
    const result = executed.ok
      ? await succeed(prepared, executed.result, report, run)
      : await fail(prepared, executed.error, report, run);
    if (!result.ok && result.error.code !== 'interrupted') keepDeadLetter(prepared, result, executed.attempts, run);
    report.end(result);
    return result;
  } catch (thrown) {
    return report.caught(thrown);
  } finally {
    run.inFlight.leave(prepared.assessment);
  }
}

/**
 * Pays for a call. Throws `rate_limited` with the moment to try again; a limiter that fails or does not answer refuses
 * too.
 */
async function takeRate({ tool }: PreparedCall, run: Run): Promise<void> {
  const { rateLimiter, limits } = run.settings;
  if (rateLimiter === undefined) return;
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
  // A moment that is over is now.
  const retryAfterMs = typeof pauseMs === 'number' && !Number.isNaN(pauseMs) ? Math.max(0, pauseMs) : undefined;
  const when =
    retryAfterMs === undefined || retryAfterMs === Number.POSITIVE_INFINITY
      ? 'Do not call again in this session.'
      : `Try again in ${retryAfterMs < 1_000 ? `${Math.ceil(retryAfterMs)} ms` : `${Math.ceil(retryAfterMs / 1_000)} s`}.`;
  const message = `tool rate limit exceeded for ${tool.name}. ${when}`;
  throw new ToolError('rate_limited', message, retryAfterMs === undefined ? {} : { retryAfterMs });
}

function start({ call, tool, input, title }: PreparedCall, report: Report, run: Run): void {
  report.startedAs = tool.name;
  if (run.hasListener)
    run.emit({ type: 'tool-start', callId: call.id, name: tool.name, input: scrubValue(input.raw, run), title });
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
  // Nobody waits for a dead letter, and what goes wrong with it is an outcome like any other.
  void run.consult(
    'The dead letters',
    limits.resolver.timeoutMs,
    (scope) => deadLetters.add(deadLetter, scope),
    'after',
  );
}

const maxCoercions = 20;

/** The first coercions; their field names are the model's own words. */
function notedCoercions({ coercions }: AcceptedInput, run: Run): readonly string[] {
  const noted = coercions.slice(0, maxCoercions).map((coercion) => scrubText(coercion, run));
  return coercions.length > maxCoercions ? [...noted, `and ${coercions.length - maxCoercions} more`] : noted;
}
