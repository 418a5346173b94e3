import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
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
export const oneLateFile: Plugin = {
  name: 'one-late-file',
  setup(build) {
    const late = sources().flatMap((path) => imports(path, /\bimport\('(\.[^']+)\.js'\)/g));
    build.onResolve({ filter: /^\.\.?\// }, ({ kind }) => (kind === 'dynamic-import' ? { path: 'late', namespace: 'late' } : undefined));
    build.onLoad({ filter: /^late$/, namespace: 'late' }, () => ({
      // With all that is loaded by then among what it reaches, it splits nothing off.
      contents: exportAll([resolve('src/index.ts'), ...late]),
      resolveDir: resolve('.'),
    }));
  },
};

/** The entries that are imported beside the core or the root, never without: what they share with it. */
const besides: Readonly<Record<string, string>> = {
  [resolve(entries.anthropic)]: resolve(entries.core),
  [resolve(entries.openai)]: resolve(entries.core),
  [resolve(entries.sandbox)]: resolve(entries.core),
  [resolve(entries.testing)]: resolve(entries.index),
};

/** Keeps what such entries share with the others in the files of those. Else each set of entries that share something has a file of its own, for which every import waits. */
const noFilesBetween: Plugin = {
  name: 'no-files-between',
  setup(build) {
    build.onResolve({ filter: /^\.\/beside$/ }, ({ importer }) => ({ path: besides[importer] ?? importer, sideEffects: true }));
    build.onLoad({ filter: /\.ts$/ }, ({ path, suffix }) =>
      besides[path] === undefined || suffix !== ''
        ? undefined
        : { contents: `import './beside';\n${readFileSync(path, 'utf8')}`, loader: 'ts' },
    );
  },
};

const commandFolder = resolve('src/text/command');
const commandsEntry = join(commandFolder, 'assess-command.ts');

/**
 * Keeps the reader of shell commands, a third of the whole, out of what an import compiles: everybody else gets functions that load it with the first call. Some of them answer
 * at once, without a promise, so it is loaded as the vendors are, with `require`, and built as a CommonJS file of its own.
 */
export const commandsOnFirstUse: Plugin = {
  name: 'commands-on-first-use',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, importer, resolveDir }) => {
      const target = resolve(resolveDir, path);
      const isEntered = dirname(target) === commandFolder && dirname(importer) !== commandFolder;
      return isEntered ? { path: target.replace(/\.js$/, '.ts'), suffix: '?on-first-use' } : undefined;
    });
    build.onLoad({ filter: /\.ts$/ }, ({ path, suffix }) =>
      suffix === '?on-first-use' ? { contents: loadedOnFirstUse(path) } : undefined,
    );
  },
};

function loadedOnFirstUse(path: string): string {
  const functions = Array.from(readFileSync(path, 'utf8').matchAll(/^export function (\w+)/gm), ([, name = '']) => name);
  return `
    import { createRequire } from 'node:module';
    let loaded;
    const commands = () => (loaded ??= createRequire(import.meta.url)('./commands.cjs'));
    ${functions.map((name) => `export function ${name}(...values) { return commands().${name}(...values); }`).join('\n')}`;
}

/** Makes the file that `commandsOnFirstUse` loads: all that others import from the folder. */
const commandsAsOne: Plugin = {
  name: 'commands-as-one',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path !== commandsEntry) return undefined;
      const outside = sources().filter((source) => dirname(source) !== commandFolder);
      const entered = outside.flatMap((source) => imports(source, /^import \{.*'(\..*\/command\/[^']+)\.js'/gm));
      const others = entered.filter((source) => source !== path).map((source) => `./${basename(source)}`);
      return { contents: `${readFileSync(path, 'utf8')}\n${exportAll(others)}`, loader: 'ts' };
    });
  },
};

function sources(): string[] {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('.ts')).map((path) => resolve('src', path));
}

/** The sources that `path` imports in the way that `written` finds. */
function imports(path: string, written: RegExp): string[] {
  const found = readFileSync(path, 'utf8').matchAll(written);
  return Array.from(found, ([, name = '']) => `${resolve(dirname(path), name)}.ts`);
}

function exportAll(paths: readonly string[]): string {
  return [...new Set(paths)]
    .sort()
    .map((path) => `export * from ${JSON.stringify(path)};`)
    .join('\n');
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
  {
    ...shared,
    entry: entries,
    dts: { entry: entries },
    splitting: true,
    esbuildPlugins: [noFilesBetween, oneLateFile, commandsOnFirstUse],
  },
  {
    ...shared,
    entry: { commands: commandsEntry },
    format: ['cjs'],
    esbuildPlugins: [commandsAsOne],
    define: { 'import.meta.url': 'ownAddress' },
    banner: { js: '"use strict";const ownAddress=__filename;' },
  },
  { ...shared, entry: { bin: 'src/bin.ts' }, external: ['./index.js'] },
  // The search worker is started by its address. It shares no file with the rest: each file more is a wait more, here and there.
  { ...shared, entry: { 'search-worker': 'src/files/search-worker.ts' } },
]);
