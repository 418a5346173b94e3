import { systemTimers } from '../../core/support/timers.js';

/** What an answer comes to, or `late`. By real time, whatever the timers of a test say: the page goes by it too. */
export async function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | 'late'> {
  let timer: unknown;
  const late = new Promise<'late'>((resolve) => {
    timer = systemTimers.set(() => resolve('late'), ms);
  });
  return await Promise.race([answer, late]).finally(() => systemTimers.clear(timer));
}
