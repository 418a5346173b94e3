/** A tenth in the quick suite; the deep one sets 1, and the gate less. More than 1 asks for more than all. */
const share = Number(process.env.TOOLWRIGHT_RUNS || 0.1);
if (!(share > 0 && Number.isFinite(share))) throw new Error('TOOLWRIGHT_RUNS is a number above 0');

/** How often a property is tried or a round is run: so many in the deep suite, a share of them elsewhere. */
export function runs(all: number): number {
  return Math.ceil(all * share);
}

/** All rows in the deep suite; elsewhere those that cost little, and a share of the others. */
export function sample<Row>(rows: readonly Row[], isCostly: (row: Row) => boolean = () => true): readonly Row[] {
  const step = Math.max(1, Math.round(1 / share));
  let costly = 0;
  return rows.filter((row) => !isCostly(row) || costly++ % step === 0);
}
