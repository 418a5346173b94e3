import { ToolError } from '../../core/error.js';
import { waitFor } from '../../core/support/timer.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';

/** Waits for `ended` up to `limitMs`. Rejects with `interrupted` when the signal aborts first. */
export async function endedWithin(
  ended: Promise<void>,
  limitMs: number,
  signal?: AbortSignal,
  timers: Timers = systemTimers,
): Promise<void> {
  const timer = new AbortController();
  const stop = signal === undefined ? timer.signal : AbortSignal.any([timer.signal, signal]);
  const late = waitFor(limitMs, stop, timers).then(() => {
    if (signal?.aborted) throw new ToolError('interrupted', 'Waiting for the task was interrupted; the task goes on.');
  });
  try {
    await Promise.race([ended, late]);
  } finally {
    timer.abort();
  }
}
