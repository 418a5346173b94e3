import { getMaxListeners, setMaxListeners } from 'node:events';

/**
 * Makes room for one more listener on a signal, or takes it back. Node warns of a leak at more than ten, which many
 * turns at once on one signal are not; what the host allows its own listeners stays as it was.
 */
export function makeRoom(signal: AbortSignal, count: 1 | -1): void {
  try {
    const max = getMaxListeners(signal);
    // 0 is no limit.
    if (max > 0) setMaxListeners(Math.max(1, max + count), signal);
  } catch {
    // A signal that is none of Node's own counts no listeners.
  }
}
