const isDeep = process.env.TOOLWRIGHT_ALL_RUNS !== undefined;

/** How often a property is tried: all of them in the deep suite, a tenth in the quick one. */
export function runs(all: number): number {
  return isDeep ? all : Math.ceil(all / 10);
}

/** All rows in the deep suite; in the quick one those that cost little, and each tenth of the others. */
export function sample<Row>(rows: readonly Row[], isCostly: (row: Row) => boolean = () => true): readonly Row[] {
  let costly = 0;
  return rows.filter((row) => isDeep || !isCostly(row) || costly++ % 10 === 0);
}
