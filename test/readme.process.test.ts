import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from './examples/run-example.js';
import { compileTexts } from './support/compiled-programs.js';
import { columns, table } from './support/each-row.js';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));
const pages = columns(`
  README.md  CONTRIBUTING.md  docs/getting-started.md  docs/pipeline.md  docs/architecture.md  docs/guides/agents.md
  docs/guides/policy.md  docs/guides/files.md  docs/guides/mcp-server.md  docs/guides/permissions.md
  docs/guides/planning.md  docs/guides/secrets.md  docs/guides/sessions.md  docs/guides/shell.md  docs/guides/teams.md
  docs/guides/web.md  docs/guides/ai-sdk.md  docs/guides/anthropic.md  docs/guides/claude-agent.md
  docs/guides/gemini.md  docs/guides/langchain.md  docs/guides/openai.md  docs/guides/openai-agents.md`);

/** The fenced blocks of a page in one language, with the line each starts at. */
async function blocksOf(page: string, language: string): Promise<{ readonly line: number; readonly code: string }[]> {
  const text = await readFile(join(projectRoot, page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter((match) => match[1] === language)
    .map((match) => ({ line: text.slice(0, match.index).split('\n').length + 1, code: match[2] ?? '' }));
}

test('the quickstart of the README has six lines and runs in an empty folder, without a key', async () => {
  const [quickstart] = await blocksOf('README.md', 'js');
  expect(quickstart?.code.trimEnd().split('\n')).toHaveLength(6);
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-test-'));
  try {
    const [script = ''] = await compileTexts([quickstart?.code ?? '']);
    const { exitCode, stdout, stderr } = await runProgram(script, [], {}, folder);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Write worked: /);
    expect(stdout).toMatch(/^Read was refused: Error: .*\/etc\/passwd/m);
    expect(await readFile(join(folder, 'hello.txt'), 'utf8')).toBe('Hello\n');
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('the TypeScript in the documentation', () => {
  let folder = '';
  beforeAll(async () => {
    // Below the project, so that packages resolve; outside of every other check.
    const cache = join(projectRoot, 'node_modules', '.cache');
    await mkdir(cache, { recursive: true });
    folder = await mkdtemp(join(cache, 'toolwright-docs-'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('compiles as it stands', async () => {
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
    const problems = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
    expect(
      problems.map(
        ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      ),
    ).toEqual([]);
  });
});

table(pages)(
  'every link leads to something, and out of the package only from pages that are not in it',
  async (page) => {
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
        /^(?:docs\/|README\.md$|LICENSE$)/.test(relative(projectRoot, join(projectRoot, path)));
      const leaves = isPacked(page) && !isPacked(relative(projectRoot, file));
      if (found === undefined || leaves || (anchor !== undefined && !headings.includes(anchor))) broken.push(target);
    }
    expect(broken).toEqual([]);
  },
);

/** A file that belongs into src/tools or test/tools, with its imports as they are from anywhere. */
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
