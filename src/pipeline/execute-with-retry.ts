import type { Candidate } from './candidate.js';
import { type Executed, executeOnce } from './execute-once.js';
import type { Run } from './run.js';
import type { RunSettings } from './settings.js';

/** The last execution of a call and how many there were. */
export interface Attempted {
  readonly executed: Executed;
  readonly attempts: number;
}

/** Runs the tool, again after a pause where its failure may pass and repeating it is harmless. */
export async function executeWithRetry(candidate: Candidate, run: Run): Promise<Attempted> {
  const { retry, timers } = run.settings;
  for (let attempt = 1; ; attempt++) {
    const executed = await executeOnce(candidate, run);
    if (executed.ok || attempt >= retry.maxAttempts || !candidate.tool.idempotent || !executed.error.retryable || run.interrupted) {
      return { executed, attempts: attempt };
    }
    const delayMs = pauseBefore(attempt + 1, executed.error.retryAfterMs, retry, timers.random());
    if (delayMs === undefined) return { executed, attempts: attempt };
    if (run.hasListener) {
      run.emit({
        type: 'tool-retry',
        callId: candidate.call.id,
        name: candidate.tool.name,
        attempt: attempt + 1,
        code: executed.error.code,
        delayMs,
      });
    }
    if (!(await run.sleep(delayMs))) return { executed, attempts: attempt };
  }
}

/** Exponential backoff with full jitter. A wait that the other side asks for is kept; one that is longer than `maxMs` is not worth it. */
function pauseBefore(attempt: number, retryAfterMs: number | undefined, retry: RunSettings['retry'], random: number): number | undefined {
  if (retryAfterMs !== undefined) return retryAfterMs > retry.maxMs ? undefined : retryAfterMs;
  return Math.round(random * Math.min(retry.maxMs, retry.baseMs * 2 ** (attempt - 2)));
}
