import { configureGlobal } from 'fast-check';

/** Each tier of tests sets its own in the configuration; more than 1 asks for more than all. */
const share = Number(process.env.TOOLWRIGHT_RUNS);
if (!(share > 0 && Number.isFinite(share))) throw new Error('TOOLWRIGHT_RUNS is a number above 0');

/** What random inputs are made from. Fixed but in the deep tier. */
export const seed = Number(process.env.TOOLWRIGHT_SEED);
if (!Number.isSafeInteger(seed)) throw new Error('TOOLWRIGHT_SEED is a whole number');
configureGlobal({ seed });

/** How often a property is tried or a round is run: so many in the deep tier, a share of them elsewhere. */
export function runs(all: number): number {
  return Math.ceil(all * share);
}

/** All rows in the deep tier; elsewhere those that cost little, and a share of the others. */
export function sample<Row>(rows: readonly Row[], isCostly: (row: Row) => boolean = () => true): readonly Row[] {
  const step = Math.max(1, Math.round(1 / share));
  let costly = 0;
  return rows.filter((row) => !isCostly(row) || costly++ % step === 0);
}
