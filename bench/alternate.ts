import { setImmediate as nextTurn } from 'node:timers/promises';

/** The times of one subject, in milliseconds. */
export interface Timing {
  readonly median: number;
  readonly least: number;
}

/** One way to do the work. It throws if the work was not done. */
export type Subject = () => unknown;

/**
 * Runs all subjects in rounds, each round in the opposite order of the previous one, so that other load on the machine
 * affects all subjects equally.
 */
export async function alternate<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  rounds: number,
): Promise<Readonly<Record<Name, Timing>>> {
  const names = Object.keys(subjects) as Name[];
  const samples = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = -1; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      // Work that the previous subject deferred is not counted for this one.
      await nextTurn();
      const start = performance.now();
      await subjects[name]();
      // The first round only warms up.
      if (round >= 0) samples.get(name)?.push(performance.now() - start);
    }
  }
  return Object.fromEntries([...samples].map(([name, times]) => [name, timing(times)])) as Record<Name, Timing>;
}

/** Prints the times of each subject and their ratio to the first one, with the goal if there is one. */
export function report<Name extends string>(
  title: string,
  timings: Readonly<Record<Name, Timing>>,
  goals: { readonly [Other in Name]?: number },
): void {
  const rows = Object.entries<Timing>(timings);
  const [floor] = rows.map(([, first]) => first);
  console.log(`\n${title}`);
  for (const [name, { median, least }] of rows) {
    const goal = goals[name as Name];
    const ratios = `${(median / (floor?.median ?? 1)).toFixed(3)} ×  (least ${(least / (floor?.least ?? 1)).toFixed(3)} ×)`;
    const verdict = goal === undefined ? '' : `  goal ${goal} ×`;
    console.log(`  ${name.padEnd(34)} ${median.toFixed(2).padStart(9)} ms  ${ratios}${verdict}`);
  }
}

function timing(times: readonly number[]): Timing {
  const sorted = [...times].sort((left, right) => left - right);
  return { median: sorted[sorted.length >> 1] ?? Number.NaN, least: sorted[0] ?? Number.NaN };
}
