/** How often a property is tried: all of them in the deep suite, a tenth in the quick one. */
export function runs(all: number): number {
  return process.env.TOOLWRIGHT_ALL_RUNS === undefined ? Math.ceil(all / 10) : all;
}
