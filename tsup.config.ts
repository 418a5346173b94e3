import { defineConfig } from 'tsup';

const entries = {
  index: 'src/index.ts',
  core: 'src/core.ts',
  anthropic: 'src/adapters/anthropic.ts',
  openai: 'src/adapters/openai.ts',
  sandbox: 'src/sandbox/index.ts',
  testing: 'src/testing/index.ts',
};

export default defineConfig({
  // The search worker is started by its address, so it needs a file of its own beside the chunks.
  entry: { ...entries, bin: 'src/bin.ts', 'search-worker': 'src/files/search-worker.ts' },
  dts: { entry: entries },
  format: ['esm'],
  platform: 'node',
  target: 'node20',
  splitting: true,
  sourcemap: true,
  clean: true,
  // Dependencies stay imports: users get one copy of each, and the heavy ones load on first use.
  skipNodeModulesBundle: true,
  // Node compiles what it imports each time: half the bytes, half the wait. Names stay, for stack traces.
  esbuildOptions: (options) => {
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
});
