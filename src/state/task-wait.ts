import { setTimeout as wait } from 'node:timers/promises';
import { ToolError } from '../core/error.js';

/** Waits for `ended`, but no longer than `limitMs`. Rejects with `interrupted` when the signal aborts first. */
export async function endedWithin(ended: Promise<void>, limitMs: number, signal?: AbortSignal): Promise<void> {
  const timer = new AbortController();
  const stop = signal === undefined ? timer.signal : AbortSignal.any([timer.signal, signal]);
  const late = wait(limitMs, undefined, { signal: stop }).catch(() => {
    if (signal?.aborted) throw new ToolError('interrupted', 'Waiting for the task was interrupted; the task goes on.');
  });
  try {
    await Promise.race([ended, late]);
  } finally {
    timer.abort();
  }
}
