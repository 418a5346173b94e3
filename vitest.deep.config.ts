import { defineConfig } from 'vitest/config';
import { shared } from './vitest.config.js';

/** What takes long: many runs of each property, kill rounds, process storms, large files. One file at a time, so that timings mean something. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: ['test/deep/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
