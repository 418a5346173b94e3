import { askedPause, type ToolError } from '../core/error.js';
import type { PreparedCall } from './run/prepared-call.js';
import type { Run } from './run/run.js';
import type { RunSettings } from './run/settings.js';

/**
 * Waits before a failed call is tried again: `attempts` is how often it was tried. False where it is not to be tried
 * again, because that is not harmless, its failure will not pass, it was tried often enough, the wait would be too
 * long, or the run ends.
 */
export async function pauseBeforeRetry(
  { call, tool }: PreparedCall,
  error: ToolError,
  attempts: number,
  run: Run,
): Promise<boolean> {
  const { retry, timers } = run.settings;
  if (attempts >= retry.maxAttempts || !tool.idempotent || !error.retryable || run.interrupted) return false;
  const attempt = attempts + 1;
  const delayMs = pauseBefore(attempt, askedPause(error), retry, timers.random());
  if (delayMs === undefined) return false;
  if (run.hasListener)
    run.emit({ type: 'tool-retry', callId: call.id, name: tool.name, attempt, code: error.code, delayMs });
  return await run.sleep(delayMs);
}

/**
 * Exponential backoff with full jitter. A wait that the other side asks for is kept; one that is longer than `maxMs` is
 * not worth it.
 */
function pauseBefore(
  attempt: number,
  askedMs: number | undefined,
  retry: RunSettings['retry'],
  random: number,
): number | undefined {
  const delayMs = askedMs ?? Math.round(random * Math.min(retry.maxMs, retry.baseMs * 2 ** (attempt - 2)));
  return Number.isFinite(delayMs) && delayMs <= retry.maxMs ? delayMs : undefined;
}
