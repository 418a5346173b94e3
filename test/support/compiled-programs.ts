import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly programs: string;
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const programs = [
  'src/bin',
  'examples/agent-loop',
  'examples/agents',
  'examples/planning-host',
  'test/support/cron-host',
  'test/support/calling-host',
  'test/support/exiting-host',
  'test/support/exiting-mcp-host',
  'test/support/fetching-host',
  'test/support/write-forever',
  'test/support/leasing-host',
  'test/support/resuming-host',
  'test/support/resuming-turn',
] as const;

/** A program that tests start as a separate process. */
export type Program = (typeof programs)[number];

/** Compiles the programs before the first test, because with a TypeScript loader each start takes six times longer. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'toolwright-programs-'));
  await compile(
    programs.map((name) => join(root, `${name}.ts`)),
    folder,
    root,
  );
  project.provide('programs', folder);
  return () => rm(folder, { recursive: true });
}

/** The compiled file of a program, for plain Node. */
export function compiled(program: Program): string {
  return join(inject('programs'), `${program}.mjs`);
}

/** Compiles programs given as text, such as examples of a page, and returns their files. */
export async function compileTexts(texts: readonly string[]): Promise<string[]> {
  const written = await mkdtemp(join(tmpdir(), 'toolwright-programs-'));
  const folder = await mkdtemp(join(inject('programs'), 'texts-'));
  try {
    const sources = texts.map((_, index) => join(written, `${index}.ts`));
    await Promise.all(sources.map((source, index) => writeFile(source, texts[index] ?? '')));
    await compile(sources, folder, written);
  } finally {
    await rm(written, { recursive: true });
  }
  return texts.map((_, index) => join(folder, `${index}.mjs`));
}

/** Bundles programs with their imports from this project. Packages stay imports. */
async function compile(sources: readonly string[], outdir: string, outbase: string): Promise<void> {
  await build({
    entryPoints: [...sources],
    outdir,
    outbase,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    tsconfig: join(root, 'tsconfig.json'),
    plugins: [ownAddresses],
  });
}

/** Sets `import.meta.url` of each source to its own address, as without compilation. */
const ownAddresses: Plugin = {
  name: 'own-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' };
    });
  },
};
