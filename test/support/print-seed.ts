import type { TestProject } from 'vitest/node';

/** Prints the variables that repeat the random inputs of a run. */
export function setup({ name, config }: TestProject): void {
  console.log(`${name}: TOOLWRIGHT_SEED=${config.env.TOOLWRIGHT_SEED} TOOLWRIGHT_RUNS=${config.env.TOOLWRIGHT_RUNS}`);
}
