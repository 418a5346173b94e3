import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { entryFiles } from './.ci/entry-files.js';

const projectRoot = fileURLToPath(new URL('./', import.meta.url));
const entries = Array.from(entryFiles, ([entry, file]) => ({
  find: new RegExp(`^${entry}$`),
  replacement: join(projectRoot, file),
}));

// The deep tier uses new random inputs in each run, and prints the seed so that a failure can be repeated.
const deepSeed = process.env.TOOLWRIGHT_SEED || String(Math.floor(Math.random() * 2 ** 31));

/** A folder whose SDKs replace those of the project. */
const sdks = process.env.TOOLWRIGHT_SDKS || undefined;
const sdkName = /^(?:ai|openai|@openai\/agents|@google\/genai|@anthropic-ai\/[^/]+|@langchain\/[^/]+)(?:\/|$)/;

export default defineConfig({
  resolve: { alias: entries },
  plugins: [
    {
      name: 'sdks-of-a-folder',
      enforce: 'pre',
      resolveId(name) {
        if (sdks === undefined || !sdkName.test(name)) return undefined;
        return this.resolve(name, join(sdks, 'package.json'), { skipSelf: true });
      },
    },
  ],
  test: {
    execArgv: ['--unhandled-rejections=strict'],
    unstubEnvs: true,
    unstubGlobals: true,
    // A new process and a new import of the sources would take longer than the tests of most files.
    isolate: false,
    setupFiles: ['test/support/leaves-nothing.ts', 'test/support/runs.ts'],
    // The default leaves one core free, which is half of a machine with two cores.
    maxWorkers: '100%',
    // Timeouts end tests that hang; no test measures time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.{process,deep}.test.ts'],
          globalSetup: ['test/support/print-seed.ts'],
          setupFiles: ['test/support/memory-only.ts'],
          env: { TOOLWRIGHT_RUNS: '0.1', TOOLWRIGHT_SEED: '1' },
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          include: ['test/**/*.process.test.ts'],
          globalSetup: ['test/support/print-seed.ts', 'test/support/compiled-programs.ts'],
          // Otherwise esbuild keeps a thread running, which tests that count threads would notice.
          env: { ESBUILD_WORKER_THREADS: '0', TOOLWRIGHT_RUNS: '0.1', TOOLWRIGHT_SEED: '1' },
        },
      },
      {
        extends: true,
        test: {
          name: 'deep',
          include: ['test/**/*.deep.test.ts'],
          globalSetup: ['test/support/print-seed.ts', 'test/support/compiled-programs.ts'],
          // Some tests measure the memory of their process.
          isolate: true,
          testTimeout: 300_000,
          env: {
            ESBUILD_WORKER_THREADS: '0',
            TOOLWRIGHT_RUNS: process.env.TOOLWRIGHT_RUNS || '1',
            TOOLWRIGHT_SEED: deepSeed,
          },
        },
      },
    ],
  },
});
