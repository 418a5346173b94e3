import { systemTimers } from '../../core/support/timers.js';

/** The result of a promise, or `late` after the delay. Uses real time even in tests, since pages do too. */
export async function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | 'late'> {
  let timer: unknown;
  const late = new Promise<'late'>((resolve) => {
    timer = systemTimers.set(() => resolve('late'), ms);
  });
  return await Promise.race([answer, late]).finally(() => systemTimers.clear(timer));
}
