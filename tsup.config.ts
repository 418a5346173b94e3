import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';

const entries = {
  index: 'src/index.ts',
  core: 'src/core.ts',
  anthropic: 'src/adapters/anthropic.ts',
  openai: 'src/adapters/openai.ts',
  sandbox: 'src/sandbox/index.ts',
  testing: 'src/testing/index.ts',
};

/**
 * Makes one file of everything of ours that is imported on first use. Each by itself would split what it shares with the rest into ever more files, and at import
 * a file costs as much as ten kilobytes in it. Names that two of them export are an error of the build.
 */
const oneLateFile: Plugin = {
  name: 'one-late-file',
  setup(build) {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const late = new Set(sources.flatMap((path) => importedLater(join('src', path))));
    build.onResolve({ filter: /^\.\.?\// }, ({ kind }) => (kind === 'dynamic-import' ? { path: 'late', namespace: 'late' } : undefined));
    build.onLoad({ filter: /^late$/, namespace: 'late' }, () => ({
      // With all that is loaded by then among what it reaches, it splits nothing off.
      contents: ['src/index.ts', ...[...late].sort()].map((path) => `export * from './${path}';`).join('\n'),
      resolveDir: resolve('.'),
    }));
  },
};

function importedLater(path: string): string[] {
  const imports = readFileSync(path, 'utf8').matchAll(/\bimport\('(\.[^']+)\.js'\)/g);
  return [...imports].map(([, name = '']) => `${join(dirname(path), name)}.ts`);
}

const shared: Options = {
  format: ['esm'],
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  splitting: false,
  // Dependencies stay imports: users get one copy of each, and the heavy ones load on first use.
  skipNodeModulesBundle: true,
  // Node compiles what it imports each time: half the bytes, half the wait. Names stay, for stack traces.
  esbuildOptions: (options) => {
    options.minifyWhitespace = true;
    options.minifySyntax = true;
    options.logOverride = { 'ambiguous-reexport': 'error' };
  },
};

export default defineConfig([
  { ...shared, entry: entries, dts: { entry: entries }, splitting: true, esbuildPlugins: [oneLateFile] },
  { ...shared, entry: { bin: 'src/bin.ts' }, external: ['./index.js'] },
  // The search worker is started by its address. It shares no file with the rest: each file more is a wait more, here and there.
  { ...shared, entry: { 'search-worker': 'src/files/search-worker.ts' } },
]);
