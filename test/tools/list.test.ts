import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPermissions, type ToolkitOptions } from '../../src/index.js';
import { memoryFiles } from '../../src/testing/index.js';
import { caseWorld, type SetupStep } from '../support/case-world.js';
import { eachRow } from '../support/each-row.js';
import { testToolkit } from '../support/test-toolkit.js';

const setup: readonly SetupStep[] = [
  ['dir', 'list/src'],
  ['file', 'list/b.ts', 'b'],
  ['file', 'list/a.js', ''],
  ['file', 'list/.env', 'KEY=1'],
  ['link', 'list/link', '../a.txt'],
  ['link', 'list/out', '${OUT}'],
  ['file', 'list/odd\nname', ''],
];

function workspace(options: Partial<ToolkitOptions> = {}) {
  const { root, call, outside } = caseWorld(setup, options);
  const list = (input: object = {}) => call('List', { path: join(root, 'list'), ...input });
  return { root, outside, list };
}

test('names are sorted by code unit, folders with a slash, links with their target, each on one line', async () => {
  const { outside, list } = workspace();
  expect(await list()).toMatchObject({
    ok: true,
    output: `.env\na.js\nb.ts\nlink -> ../a.txt\n"odd\\nname"\nout -> ${outside}\nsrc/`,
    metadata: { count: 7, truncated: false },
  });
});

const globs = [
  ['*.ts', 'b.ts'],
  ['*.{ts,js}', 'a.js\nb.ts'],
  ['?.[jt]s', 'a.js\nb.ts'],
  ['.*', '.env'],
  ['*.rs', 'No names fit'],
  ['src', 'src/'],
] as const;
test('a glob selects names', () =>
  eachRow(globs, async ([glob, output]) =>
    expect(await workspace().list({ glob })).toMatchObject({ ok: true, output }),
  ));

test('names over the limit are counted', async () => {
  const { root, list } = workspace({ limits: { list: { maxEntries: 2 } } });
  expect(await list()).toMatchObject({ output: '.env\na.js\n[5 more; pass glob, or a larger limit]' });
  expect(await list({ limit: 7 })).toMatchObject({ metadata: { truncated: false } });
  mkdirSync(join(root, 'empty'));
  expect(await list({ path: join(root, 'empty') })).toMatchObject({ output: 'Empty folder', metadata: { count: 0 } });
});

test('a file is shown with its size and time, also through a link', async () => {
  const { root, list } = workspace();
  writeFileSync(join(root, 'a.txt'), 'x'.repeat(2_048));
  utimesSync(join(root, 'a.txt'), 1, 1);
  for (const path of [join(root, 'a.txt'), join(root, 'list', 'link')])
    expect(await list({ path })).toMatchObject({
      output: `${join(root, 'a.txt')}: file, 2.0 KB, changed 1970-01-01T00:00:01.000Z`,
      metadata: { kind: 'file', size: 2_048, mtimeMs: 1_000 },
    });
});

const places = [
  ['a folder outside', '..', 'path_outside_root'],
  ['what is not there', 'nothing', 'file_not_found'],
  ['a link that leads outside', 'list/out', 'path_outside_root'],
] as const;
test('a path outside or a missing one is refused', () =>
  eachRow(places, async ([, path, code]) => {
    const { root, list } = workspace();
    expect(await list({ path: join(root, path) })).toMatchObject({ error: { code } });
  }));

test('an invalid glob is refused, and one with many stars and braces is not', async () => {
  const { list } = workspace();
  expect(await list({ glob: '{a' })).toMatchObject({
    error: { code: 'invalid_input' },
    output: expect.stringMatching(/glob: .*unclosed/),
  });
  for (const glob of ['*a*a*a*a*a*a*', '{a,b}'.repeat(11)]) expect(await list({ glob })).toMatchObject({ ok: true });
});

test('names of denied files are omitted, and the files are not shown', async () => {
  const permissions = createPermissions({ mode: 'bypassPermissions', deny: ['Read(**/.env)'] });
  const { root, list } = workspace({ permissions });
  expect((await list())?.output).not.toContain('.env');
  expect(await list({ path: join(root, 'list', '.env') })).toMatchObject({ error: { code: 'permission_denied' } });
  const files = memoryFiles({ root: '/ws', files: { '.env': 'KEY=1', a: '' } });
  const hosted = caseWorld([], { root: '/ws', permissions, hosts: { files } });
  expect(await hosted.call('List', { path: '/ws' })).toMatchObject({ output: 'a' });
});

test('a list of 200,000 names is cut', async () => {
  const names = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`${index}`.padStart(6, '0'), '']));
  const { call } = caseWorld([], { root: '/ws', hosts: { files: memoryFiles({ root: '/ws', files: names }) } });
  const { output } = await call('List', { path: '/ws' });
  expect(output.split('\n')).toHaveLength(1_001);
  expect(output).toMatch(/\n000999\n\[199000 more; /);
});

test('the tool has aliases', () =>
  eachRow(['list', 'ls', 'list_files'], async (name) => {
    const { root, call } = caseWorld();
    expect(await call(name, { path: root })).toMatchObject({ ok: true, name: 'List', output: 'a.txt\nsrc/' });
  }));

test('the definitions name the limits of the toolkit', () => {
  const toolkit = testToolkit({
    limits: { grep: { headLimit: 5 }, list: { maxEntries: 3 }, read: { maxPdfPages: 7 } },
  });
  const schemaOf = (tool: string) => JSON.stringify(toolkit.definitions().find(({ name }) => name === tool));
  expect(schemaOf('Grep')).toContain('"Default 5, 0 for all"');
  expect(schemaOf('List')).toContain('"Default 3"');
  expect(schemaOf('Read')).toContain('at most 7"');
});
