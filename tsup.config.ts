import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import * as zod3 from 'zod/v3';
import { entryFiles } from './.ci/entry-files.js';

type Plugins = NonNullable<Options['plugins']>;

const entries = Object.fromEntries(
  Array.from(entryFiles, ([entry, file]) => [
    entry === 'toolwright' ? 'index' : entry.slice('toolwright/'.length),
    file,
  ]),
);

/** What the build puts in the place of modules, by the name they are imported with. */
const texts: Readonly<Record<string, string>> = {
  // What describes zod 3 schemas needs the names of their kinds, and nothing else of zod 3.
  'zod/v3': `export const ZodFirstPartyTypeKind = ${JSON.stringify(zod3.ZodFirstPartyTypeKind)};`,
};

/** Puts those texts in. */
export const embeddedTexts: Plugin = {
  name: 'embedded-texts',
  setup(build) {
    build.onResolve({ filter: /^zod\/v3$/ }, ({ path }) => ({ path, namespace: 'text' }));
    build.onLoad({ filter: /./, namespace: 'text' }, ({ path }) => ({ contents: texts[path] ?? '' }));
  },
};

/**
 * Makes one file of everything of ours that is imported on first use. Each by itself would split what it shares with the rest into ever more files, and at import
 * a file costs as much as ten kilobytes in it. Names that two of them export are an error of the build.
 */
const oneLateFile: Plugin = {
  name: 'one-late-file',
  setup(build) {
    const late = sources().flatMap((path) => imports(path, /\bimport\('(\.[^']+)\.js'\)/g));
    build.onResolve({ filter: /^\.\.?\// }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'late', namespace: 'late' } : undefined,
    );
    build.onLoad({ filter: /^late$/, namespace: 'late' }, () => ({
      // With all that is loaded by then among what it reaches, it splits nothing off.
      contents: exportAll([resolve('src/index.ts'), ...late]),
      resolveDir: resolve('.'),
    }));
  },
};

/** The entries that can be imported without the root: they share files with the core. */
const besideCore = new Set([
  'anthropic',
  'openai',
  'ai-sdk',
  'openai-agents',
  'gemini',
  'langchain',
  'claude-agent',
  'schema',
  'sandbox',
  'mcp-server',
]);

/** The entries that are imported beside the core or the root, never without: what they share with it. */
const besides: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entries)
    .filter(([name]) => name !== 'index' && name !== 'core')
    .map(([name, file]) => [resolve(file), resolve(`src/${besideCore.has(name) ? 'core' : 'index'}.ts`)]),
);

/** Keeps what such entries share with the others in the files of those. Else each set of entries that share something has a file of its own, for which every import waits. */
const noFilesBetween: Plugin = {
  name: 'no-files-between',
  setup(build) {
    build.onResolve({ filter: /^\.\/beside$/ }, ({ importer }) => ({
      path: besides[importer] ?? importer,
      sideEffects: true,
    }));
    build.onLoad({ filter: /\.ts$/ }, ({ path, suffix }) =>
      besides[path] === undefined || suffix !== ''
        ? undefined
        : { contents: `import './beside';\n${readFileSync(path, 'utf8')}`, loader: 'ts' },
    );
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

/** Lets the program import the entries as they stand beside it, so that there is one copy of what they share. */
const entriesBeside: Plugin = {
  name: 'entries-beside',
  setup(build) {
    build.onResolve({ filter: /^\.\/(index|(?:managed|mcp-server)\/index)\.js$/ }, ({ path }) => ({
      path: path.replace(/(managed|mcp-server)\/index/, '$1'),
      external: true,
    }));
  },
};

/** Writes down the licenses of the packages that the build takes in. */
const licenses: Plugin = {
  name: 'licenses',
  setup(build) {
    build.onEnd(({ metafile }) => {
      const paths = Object.keys(metafile?.inputs ?? {});
      const folders = paths
        .map((path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
        .filter((folder) => folder !== undefined);
      writeFileSync('dist/licenses.txt', [...new Set(folders)].sort().map(licenseOf).join('\n\n'));
    });
  },
};

function licenseOf(folder: string): string {
  const name = folder.replace(/.*node_modules\//, '');
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} comes without a license`);
  return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
}

/** Tells webpack and vite to leave alone what is imported by a name that they do not know; comments do not outlive minifying. */
const leaveUnknown: Plugins[number] = {
  name: 'leave-unknown',
  renderChunk: (code) => ({
    code: code.replaceAll(/\bimport\((?=[\w$])/g, 'import(/* webpackIgnore: true */ /* @vite-ignore */ '),
  }),
};

const shared: Options = {
  format: ['esm'],
  platform: 'node',
  target: 'node20',
  splitting: false,
  removeNodeProtocol: false,
  // Dependencies stay imports. What is needed at once stands among the development dependencies and is built in: as one file it loads in a tenth of the time.
  noExternal: ['zod/v3'],
  esbuildOptions: (options) => {
    // What is thrown shows the line where that was: lines that can be read, and functions by their names.
    options.minifySyntax = true;
    // What a program of Node would get cannot be taken into one file.
    options.alias = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };
    options.lineLimit = 120;
    options.logOverride = { 'ambiguous-reexport': 'error', 'ignored-bare-import': 'silent' };
  },
};

export default defineConfig([
  {
    ...shared,
    entry: entries,
    dts: { entry: entries },
    splitting: true,
    plugins: [leaveUnknown],
    esbuildPlugins: [embeddedTexts, noFilesBetween, oneLateFile, licenses],
  },
  { ...shared, entry: { bin: 'src/bin.ts' }, esbuildPlugins: [entriesBeside] },
]);
