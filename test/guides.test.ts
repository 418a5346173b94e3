import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from './examples/run-example.js';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));
const page = await readFile(join(projectRoot, 'docs/guides/permissions.md'), 'utf8');

/** Each example with what it prints, which stands in the block after it, and the heading above it. */
const examples = page.split(/^## /m).flatMap((section) =>
  [...section.matchAll(/^```ts\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?/gms)].map(([, code = '', printed = '']) => ({
    heading: section.split('\n', 1)[0] ?? '',
    code,
    printed,
  })),
);

let scripts = '';
beforeAll(async () => {
  scripts = await mkdtemp(join(tmpdir(), 'toolwright-guides-'));
  await symlink(join(projectRoot, 'node_modules'), join(scripts, 'node_modules'));
  await writeFile(join(scripts, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rm(scripts, { recursive: true }));

test('there is an example for each part', () => {
  expect(new Set(examples.map(({ heading }) => heading)).size).toBeGreaterThan(8);
});

test.each(examples)('the example under $heading prints what stands below it', async ({ code, printed }) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-test-'));
  try {
    const script = join(scripts, `${examples.findIndex((example) => example.code === code)}.ts`);
    await writeFile(script, code);
    expect(await runProgram(script, [], {}, folder)).toEqual({ exitCode: 0, stdout: printed, stderr: '' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
