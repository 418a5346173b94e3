import { readFileSync } from 'node:fs';

/**
 * Milliseconds of the processor that the main thread has taken. Where the system does not tell it by thread, those of
 * all threads.
 */
export function mainThreadMs(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

/** Milliseconds of the main thread that some work takes. */
export function workMs(work: () => unknown): number {
  const before = mainThreadMs();
  work();
  return mainThreadMs() - before;
}

/**
 * How many times as long it takes for four times as much: 4 where time grows with the input, 16 where with its square.
 * What else the machine does makes a reading longer now and then, never shorter.
 */
export function growth(work: (share: number) => unknown): number {
  work(0.1);
  let [quarter, whole] = [workMs(() => work(0.25)), workMs(() => work(1))];
  for (let attempt = 0; attempt < 3 && whole >= 8 * quarter; attempt++) {
    whole = Math.min(
      whole,
      workMs(() => work(1)),
    );
    quarter = Math.min(
      quarter,
      workMs(() => work(0.25)),
    );
  }
  return whole / quarter;
}
