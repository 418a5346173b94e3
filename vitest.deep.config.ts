import { defineConfig } from 'vitest/config';
import { shared, slow } from './vitest.config.js';

/** What takes long: many runs of each property, kill rounds, process storms, large files. Two files at a time: nothing here judges by the clock. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    // Some judge by the memory of their process.
    isolate: true,
    // And what the quick suite only takes samples of.
    include: [
      'test/deep/**/*.test.ts',
      'test/**/*.property.test.ts',
      'test/text/{edit-*,notebook-*,scrubber}.test.ts',
      ...slow,
    ],
    env: { ...shared.test?.env, TOOLWRIGHT_RUNS: process.env.TOOLWRIGHT_RUNS || '1' },
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
