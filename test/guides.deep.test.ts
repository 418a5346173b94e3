import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { runProgram } from './examples/run-example.js';
import { compileTexts } from './support/compiled-programs.js';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));
const adapters = ['ai-sdk', 'anthropic', 'claude-agent', 'gemini', 'langchain', 'openai', 'openai-agents'];
const pages = await Promise.all(
  [
    'reference/permissions',
    ...['permissions', 'hooks', 'parts', 'mcp', 'mcp-server', 'teams', 'native-tools', 'managed', ...adapters].map(
      (name) => `guides/${name}`,
    ),
    ...(await readdir(join(projectRoot, 'docs/guides/extras'))).map(
      (name) => `guides/extras/${name.replace('.md', '')}`,
    ),
  ].map((page) => readFile(join(projectRoot, `docs/${page}.md`), 'utf8')),
);

/** Each example with its expected output from the next block, and the heading above it. */
const examples = pages
  .flatMap((page) => page.split(/^## /m))
  .flatMap((section) =>
    [...section.matchAll(/^```ts\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?/gms)].map(([, code = '', printed = '']) => ({
      heading: section.split('\n', 1)[0] ?? '',
      code,
      printed,
    })),
  );

let scripts: readonly string[] = [];
beforeAll(async () => {
  scripts = await compileTexts(examples.map(({ code }) => code));
});

test('there is an example for each part', () => {
  expect(new Set(examples.map(({ heading }) => heading)).size).toBeGreaterThan(8);
});

test.each(examples)('the example under $heading prints the output below it', async ({ code, printed }) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-test-'));
  try {
    const script = scripts[examples.findIndex((example) => example.code === code)] ?? '';
    expect(await runProgram(script, [], {}, folder)).toEqual({ exitCode: 0, stdout: printed, stderr: '' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
