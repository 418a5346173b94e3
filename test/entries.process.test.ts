import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { entryFiles } from '../.ci/entry-files.js';
import manifest from '../package.json' with { type: 'json' };
import { packageVersion } from '../src/core/package-version.js';
import { embeddedTexts } from '../tsup.config.js';

const kilobyte = 1_000;

/**
 * Each entry: its source, the packages that its import loads at once, and its maximum size, minified and compressed,
 * with the bundled packages. Adapters are measured without the schema compiler, which they share.
 */
const entries = [
  { entry: 'index.ts', packages: ['zod'], maxBytes: 333 * kilobyte },
  { entry: 'core.ts', packages: ['zod'], maxBytes: 183 * kilobyte },
  { entry: 'files.ts', packages: [], maxBytes: 120 * kilobyte },
  { entry: 'policy.ts', packages: [], maxBytes: 80 * kilobyte },
  { entry: 'guards.ts', packages: [], maxBytes: 60 * kilobyte },
  { entry: 'tools.ts', packages: ['zod'], maxBytes: 250 * kilobyte },
  { entry: 'web.ts', packages: [], maxBytes: 50 * kilobyte },
  { entry: 'permissions.ts', packages: [], maxBytes: 126 * kilobyte },
  { entry: 'adapters/anthropic.ts', packages: [], maxBytes: 8 * kilobyte },
  { entry: 'adapters/openai.ts', packages: [], maxBytes: 8 * kilobyte },
  { entry: 'adapters/ai-sdk.ts', packages: ['ai'], maxBytes: 8 * kilobyte },
  { entry: 'adapters/openai-agents.ts', packages: [], maxBytes: 8 * kilobyte },
  { entry: 'adapters/gemini.ts', packages: [], maxBytes: 8 * kilobyte },
  { entry: 'adapters/langchain.ts', packages: ['@langchain'], maxBytes: 8 * kilobyte },
  { entry: 'mcp-server/claude-agent.ts', packages: [], maxBytes: 8 * kilobyte },
  { entry: 'schema.ts', packages: [], maxBytes: 10.5 * kilobyte },
  { entry: 'mcp.ts', packages: ['zod'], maxBytes: 54 * kilobyte },
  { entry: 'agents.ts', packages: [], maxBytes: 11 * kilobyte },
  { entry: 'shell/sandbox/index.ts', packages: [], maxBytes: 9 * kilobyte },
  { entry: 'remote/index.ts', packages: [], maxBytes: 60 * kilobyte },
  { entry: 'mcp-server/index.ts', packages: [], maxBytes: 15 * kilobyte },
  { entry: 'testing/index.ts', packages: [], maxBytes: 84 * kilobyte },
  { entry: 'managed/index.ts', packages: ['zod'], maxBytes: 209 * kilobyte },
];

test('the package exports the entries of tsconfig.json, and each has a row here', () => {
  const named = new Set(Object.keys(manifest.exports).map((path) => path.replace('.', 'toolwright')));
  const known = Array.from(entryFiles.keys(), (entry) => entry.replace(/extras\/.*/, 'extras/*'));
  expect(named).toEqual(new Set([...known, 'toolwright/package.json']));
  const files = [...entryFiles.values()].filter((file) => !file.startsWith('src/extras/'));
  expect(entries.map(({ entry }) => `src/${entry}`).sort()).toEqual(files.sort());
});

// They are used with a toolkit, which loads zod.
const extras = [...entryFiles.values()].filter((file) => file.startsWith('src/extras/'));

test.each(extras)('%s loads no package at import but zod, and is light', async (file) => {
  const { packages, bytes } = await bundleOf(fileURLToPath(new URL(`../${file}`, import.meta.url)));
  expect(packages.filter((name) => name !== 'zod')).toEqual([]);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(44 * kilobyte);
});

test('the root and the core load no optional parts', async () => {
  for (const entry of ['index.ts', 'core.ts']) {
    const { sources } = await bundleOf(fileURLToPath(new URL(`../src/${entry}`, import.meta.url)));
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.filter((path) => /^src\/(?:managed|extras)\//.test(path))).toEqual([]);
  }
});

test.each(entries)('$entry loads only the named packages at import, and is light', async (row) => {
  const { packages, bytes } = await bundleOf(fileURLToPath(new URL(`../src/${row.entry}`, import.meta.url)));
  expect(packages).toEqual(row.packages);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(row.maxBytes);
});

test('the MCP SDK is loaded on first use only', async () => {
  const sourceOf = (entry: string) => fileURLToPath(new URL(`../src/${entry}`, import.meta.url));
  const { packages, late } = await bundleOf(sourceOf('mcp.ts'));
  expect(late).toContain('@modelcontextprotocol');
  expect(packages).not.toContain('@modelcontextprotocol');
  for (const entry of ['index.ts', 'core.ts']) {
    const front = await bundleOf(sourceOf(entry));
    expect([...front.packages, ...front.late]).not.toContain('@modelcontextprotocol');
  }
});

test('clients and servers get the version of the package', () => {
  expect(packageVersion).toBe(manifest.version);
});

interface Bundle {
  /** Packages that the entry imports statically, directly or indirectly. */
  readonly packages: readonly string[];
  /** Packages that it imports on first use, directly or indirectly. */
  readonly late: readonly string[];
  /** The size of the code of this package that importing the entry loads, minified and compressed. */
  readonly bytes: number;
  /** All files that it loads at any time, relative to the project. */
  readonly sources: readonly string[];
}

const shared = './compile-schema.js';

async function bundleOf(source: string): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: [
      'zod/v4/*',
      shared,
      ...Object.keys(manifest.dependencies),
      ...Object.keys(manifest.peerDependencies).filter((name) => name !== 'zod'),
      ...Object.keys(manifest.optionalDependencies),
    ],
    outdir: 'out',
    metafile: true,
    write: false,
    plugins: [embeddedTexts],
  });
  // Modules that are imported on first use are separate entries of the bundle.
  const entryPoint = relative(process.cwd(), source);
  const first = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entryPoint)?.[0] ?? '';
  const packages = new Set<string>();
  const seen = new Set<string>();
  const walk = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { path: target, kind, external } of metafile.outputs[path]?.imports ?? []) {
      if (kind !== 'import-statement') continue;
      if (external !== true) walk(target);
      else if (!target.startsWith('node:') && target !== shared) packages.add(target.split('/')[0] ?? target);
    }
  };
  walk(first);
  const late = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind, external, path }) => kind === 'dynamic-import' && external === true && !path.startsWith('node:'))
    .map(({ path }) => path.split('/')[0] ?? path);
  const loaded = outputFiles.filter(({ path }) => seen.has(relative(process.cwd(), path)));
  const bytes = loaded.reduce((sum, { contents }) => sum + gzipSync(contents).byteLength, 0);
  return { packages: [...packages].sort(), late: [...new Set(late)], bytes, sources: Object.keys(metafile.inputs) };
}
