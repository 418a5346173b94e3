import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import * as zod3 from 'zod/v3';
import { entryFiles } from './.ci/entry-files.js';

const entries = Object.fromEntries(
  Array.from(entryFiles, ([entry, file]) => [
    entry === 'toolwright' ? 'index' : entry.slice('toolwright/'.length),
    file,
  ]),
);

/** Texts that the build uses instead of modules, by the import name of the module. */
const texts: Readonly<Record<string, string>> = {
  // The converter of zod 3 schemas needs only the names of their kinds from zod 3.
  'zod/v3': `export const ZodFirstPartyTypeKind = ${JSON.stringify(zod3.ZodFirstPartyTypeKind)};`,
};

/** Replaces these modules by their texts. */
export const embeddedTexts: Plugin = {
  name: 'embedded-texts',
  setup(build) {
    build.onResolve({ filter: /^zod\/v3$/ }, ({ path }) => ({ path, namespace: 'text' }));
    build.onLoad({ filter: /./, namespace: 'text' }, ({ path }) => ({ contents: texts[path] ?? '' }));
  },
};

/** Entries that can be imported without the root. They share files with the core. */
const sharesWithCore = new Set([
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

/** The core or the root, with which each entry shares its files. */
const sharedWith: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entries)
    .filter(([name]) => name !== 'index' && name !== 'core')
    .map(([name, file]) => [resolve(file), resolve(`src/${sharesWithCore.has(name) ? 'core' : 'index'}.ts`)]),
);

/**
 * Keeps the files few, because one more file costs as much import time as ten kilobytes of code. Code that an entry
 * shares with the core or the root stays in their files, because otherwise each set of entries with common code would
 * get another file. All modules of this package that are imported on first use are bundled into one file, because
 * separate files would need more files for the code that they share. A name that two of these modules export fails the
 * build.
 */
const fewFiles: Plugin = {
  name: 'few-files',
  setup(build) {
    build.onResolve({ filter: /^\.\/shared$/ }, ({ importer }) => ({
      path: sharedWith[importer] ?? importer,
      sideEffects: true,
    }));
    build.onLoad({ filter: /\.ts$/ }, ({ path, suffix }) =>
      sharedWith[path] === undefined || suffix !== ''
        ? undefined
        : { contents: `import './shared';\n${readFileSync(path, 'utf8')}`, loader: 'ts' },
    );
    const late = sources().flatMap((path) => imports(path, /\bimport\('(\.[^']+)\.js'\)/g));
    build.onResolve({ filter: /^\.\.?\// }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'late', namespace: 'late' } : undefined,
    );
    build.onLoad({ filter: /^late$/, namespace: 'late' }, () => ({
      // It includes the root, which is loaded by then, so that no shared code is split off.
      contents: exportAll([resolve('src/index.ts'), ...late]),
      resolveDir: resolve('.'),
    }));
  },
};

function sources(): string[] {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('.ts')).map((path) => resolve('src', path));
}

/** The source files that `path` imports by a statement that matches `written`. */
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

/** Lets the program import the built entries in its folder, so that their shared code exists once. */
const externalEntries: Plugin = {
  name: 'external-entries',
  setup(build) {
    build.onResolve({ filter: /^\.\/(index|(?:managed|mcp-server)\/index)\.js$/ }, ({ path }) => ({
      path: path.replace(/(managed|mcp-server)\/index/, '$1'),
      external: true,
    }));
  },
};

/** Writes the licenses of the bundled packages to a file. */
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
  if (file === undefined) throw new Error(`${name} has no license file`);
  return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
}

const shared: Options = {
  format: ['esm'],
  platform: 'node',
  target: 'node20',
  splitting: false,
  removeNodeProtocol: false,
  // Dependencies stay imports. Packages that are needed at import are development dependencies and are bundled, because
  // one file loads in a tenth of the time.
  noExternal: ['zod/v3'],
  esbuildOptions: (options) => {
    // Uncaught errors print the source line, so lines stay readable and functions keep their names.
    options.minifySyntax = true;
    // The version for Node cannot be bundled into one file.
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
    esbuildPlugins: [embeddedTexts, fewFiles, licenses],
  },
  { ...shared, entry: { bin: 'src/bin.ts' }, esbuildPlugins: [externalEntries] },
]);
