import { configureGlobal } from 'fast-check';

/** Each tier of tests sets this in the configuration. A value above 1 means more runs than usual. */
const share = Number(process.env.TOOLWRIGHT_RUNS);
if (!(share > 0 && Number.isFinite(share))) throw new Error('TOOLWRIGHT_RUNS is a number above 0');

/** The seed of random inputs. It is fixed except in the deep tier. */
export const seed = Number(process.env.TOOLWRIGHT_SEED);
if (!Number.isSafeInteger(seed)) throw new Error('TOOLWRIGHT_SEED is a whole number');
configureGlobal({ seed });

/** The number of runs of a property or a round: this number in the deep tier, a share of it in other tiers. */
export function runs(all: number): number {
  return Math.ceil(all * share);
}

/** All rows in the deep tier; in other tiers the cheap ones, and a share of the others. */
export function sample<Row>(rows: readonly Row[], isCostly: (row: Row) => boolean = () => true): readonly Row[] {
  const step = Math.max(1, Math.round(1 / share));
  let costly = 0;
  return rows.filter((row) => !isCostly(row) || costly++ % step === 0);
}
