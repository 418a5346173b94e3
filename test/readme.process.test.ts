import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from './examples/run-example.js';
import { compileTexts } from './support/compiled-programs.js';
import { table } from './support/each-row.js';
import { temporaryFolder } from './support/temporary-folder.js';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));
const guides = (await readdir(join(projectRoot, 'docs/guides'), { recursive: true }))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/guides/${name}`);
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/getting-started.md',
  'docs/pipeline.md',
  'docs/architecture.md',
  'docs/reference/permissions.md',
  ...guides,
];

const { dependencies } = JSON.parse(await readFile(join(projectRoot, '.ci/deep/package.json'), 'utf8')) as {
  readonly dependencies: object;
};
const deepOnly = Object.keys(dependencies);

/** The fenced blocks of a page in one language, with their start lines. */
async function blocksOf(page: string, language: string): Promise<{ readonly line: number; readonly code: string }[]> {
  const text = await readFile(join(projectRoot, page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter((match) => match[1] === language)
    .map((match) => ({ line: text.slice(0, match.index).split('\n').length + 1, code: match[2] ?? '' }));
}

test('the quickstart of the README has six lines and runs in an empty folder, without a key', async () => {
  const [quickstart] = await blocksOf('README.md', 'js');
  expect(quickstart?.code.trimEnd().split('\n')).toHaveLength(6);
  const folder = temporaryFolder();
  const [script = ''] = await compileTexts([quickstart?.code ?? '']);
  const { exitCode, stdout, stderr } = await runProgram(script, [], {}, folder);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^Write worked: /);
  expect(stdout).toMatch(/^Read was refused: Error: .*\/etc\/passwd/m);
  expect(await readFile(join(folder, 'hello.txt'), 'utf8')).toBe('Hello\n');
});

test('the first unit test of the guide on testing has twelve lines and passes', async () => {
  const [unitTest] = await blocksOf('docs/guides/testing.md', 'ts');
  expect(unitTest?.code.trimEnd().split('\n')).toHaveLength(12);
  const [script = ''] = await compileTexts([unitTest?.code ?? '']);
  const { exitCode, stdout } = await runProgram(script, [], {}, temporaryFolder());
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/pass 1\b/) });
});

table([
  ['docs/guides/testing.md', "test('asked and denied'", /pass 1\b/],
  ['docs/getting-started.md', 'Replace this with your model', /^Done\.\n$/],
] as const)('an example without a key runs unchanged', async (page, part, printed) => {
  const code = (await blocksOf(page, 'ts')).find((block) => block.code.includes(part))?.code ?? '';
  const [script = ''] = await compileTexts([code]);
  const { exitCode, stdout } = await runProgram(script, [], {}, temporaryFolder());
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(printed) });
});

test('the guide on testing names every helper', async () => {
  const [entry, page] = await Promise.all(
    ['src/testing/index.ts', 'docs/guides/testing.md'].map((path) => readFile(join(projectRoot, path), 'utf8')),
  );
  const values = [...(entry ?? '').matchAll(/export \{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
  expect(values.length).toBeGreaterThan(30);
  expect(values.filter((name) => !new RegExp(`\`${name}\\b`).test(page ?? ''))).toEqual([]);
});

describe('the TypeScript in the documentation', () => {
  let folder = '';
  beforeAll(async () => {
    // Inside the project, so that packages resolve, but outside all other checks.
    const cache = join(projectRoot, 'node_modules', '.cache');
    await mkdir(cache, { recursive: true });
    folder = await mkdtemp(join(cache, 'toolwright-docs-'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('compiles unchanged', async () => {
    const config = ts.readConfigFile(join(projectRoot, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, projectRoot);
    const files: string[] = [];
    for (const page of pages) {
      for (const { line, code } of await blocksOf(page, 'ts')) {
        const file = join(folder, `${page.replaceAll('/', '-')}-${line}.ts`);
        await writeFile(file, `${fromItsPlace(code)}\nexport {};\n`);
        files.push(file);
      }
    }
    expect(files.length).toBeGreaterThan(4);
    const program = ts.createProgram(files, options);
    const problems = files
      .flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
      .filter(({ messageText }) => !isDeepOnly(ts.flattenDiagnosticMessageText(messageText, '\n')));
    expect(
      problems.map(
        ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      ),
    ).toEqual([]);
  });
});

table(pages)('every link has a target, and only pages outside the package link to files outside it', async (page) => {
  const text = await readFile(join(projectRoot, page), 'utf8');
  const broken: string[] = [];
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(target)) continue;
    const [path = '', anchor] = target.split('#');
    const file = join(projectRoot, path === '' ? page : join(dirname(page), path));
    const found = await readFile(file, 'utf8').catch(() => readdir(file).then(String, () => undefined));
    const headings = (found ?? '')
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .map(slugOf);
    const isPacked = (path: string) =>
      /^(?:(?:docs|examples)(?:\/|$)|README\.md$|CONTRIBUTING\.md$|LICENSE$)/.test(
        relative(projectRoot, join(projectRoot, path)),
      );
    const leaves = isPacked(page) && !isPacked(relative(projectRoot, file));
    if (found === undefined || leaves || (anchor !== undefined && !headings.includes(anchor))) broken.push(target);
  }
  expect(broken).toEqual([]);
});

/** The error for an SDK that only the deep tier installs. If it is installed, its types are checked too. */
function isDeepOnly(message: string): boolean {
  return deepOnly.some((name) => message.startsWith(`Cannot find module '${name}`));
}

/** A file for src/tools or test/tools, with its imports rewritten for another folder. */
function fromItsPlace(code: string): string {
  return code.replaceAll(/'\.\.\/(?:\.\.\/src\/)?/g, `'${projectRoot}src/`);
}

function slugOf(heading: string): string {
  return heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}
