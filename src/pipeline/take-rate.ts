import { ToolError } from '../core/error.js';
import type { PreparedCall } from './run/prepared-call.js';
import type { Run } from './run/run.js';
import type { Outcome } from './run/supervisor.js';

/**
 * Pays for a call. Throws `rate_limited` with the moment to try again; a limiter that fails or does not answer refuses
 * too.
 */
export async function takeRate({ tool }: PreparedCall, run: Run): Promise<void> {
  const { rateLimiter, limits } = run.settings;
  if (rateLimiter === undefined) return;
  const request = { key: run.caller.sessionId, tool: tool.name };
  const outcome: Outcome<unknown> = await run.consult('The rate limiter', limits.call.limiterTimeoutMs, (scope) =>
    rateLimiter.take(request, scope),
  );
  if (outcome.kind === 'stopped' && outcome.error.code === 'cancelled') throw outcome.error;
  if (outcome.kind !== 'value') {
    const reason = outcome.kind === 'thrown' ? ToolError.from(outcome.thrown).message : outcome.error.message;
    throw new ToolError('rate_limited', `The rate limiter failed, so the call was refused: ${reason}`);
  }
  const answer = outcome.value;
  if (isRecord(answer) && answer.ok === true) return;
  const retryAfterMs = isRecord(answer) ? readPause(answer.retryAfterMs) : undefined;
  const when =
    retryAfterMs === undefined || !Number.isFinite(retryAfterMs)
      ? 'Do not call again in this session.'
      : `Try again in ${seconds(retryAfterMs)}.`;
  throw new ToolError(
    'rate_limited',
    `tool rate limit exceeded for ${tool.name}. ${when}`,
    retryAfterMs === undefined ? {} : { retryAfterMs },
  );
}

/** A moment that is over is now. */
function readPause(retryAfterMs: unknown): number | undefined {
  return typeof retryAfterMs === 'number' && !Number.isNaN(retryAfterMs) ? Math.max(0, retryAfterMs) : undefined;
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${Math.ceil(ms)} ms` : `${Math.ceil(ms / 1_000)} s`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
