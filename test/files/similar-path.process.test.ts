import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPermissions } from '../../src/index.js';
import { caseWorld } from '../support/case-world.js';
import { table } from '../support/each-row.js';

const composed = 'caf\u00e9.txt';
const decomposed = 'cafe\u0301.txt';

const says = /^\[No file is named exactly .*\]$/m;

describe.each([
  ['a composed letter for a decomposed one', composed, decomposed],
  ['a decomposed letter for a composed one', decomposed, composed],
  ['a blank for a narrow one', 'Shot 9.41 AM.txt', 'Shot 9.41\u202fAM.txt'],
  ['an odd blank for a plain one', 'a\u00a0b.txt', 'a b.txt'],
  ['a straight quote for a typographic one', "it's.txt", 'it\u2019s.txt'],
  ['typographic quotes for straight ones', '\u201ca\u201d.txt', '"a".txt'],
  ['a folder and a file', `${composed}/a b.txt`, `${decomposed}/a\u202fb.txt`],
])('%s', (_name, given, real) => {
  test('opens the single file with a similar name', async () => {
    const { root, call } = caseWorld([['file', real, 'one\n']]);
    const file_path = join(root, given);
    expect(await call('Read', { file_path })).toMatchObject({ ok: true, output: '1\tone' });
    expect(await call('Edit', { file_path, old_string: 'one', new_string: 'two' })).toMatchObject({
      ok: true,
      output: expect.stringMatching(says),
    });
    expect((await call('Grep', { pattern: 'two', path: file_path })).output).toBe(join(root, real));
    expect(readdirSync(root)).toHaveLength(3);
  });
});

table([
  [composed, decomposed],
  [decomposed, composed],
])('Write replaces a file whose name differs in normalisation, and says so', async (given, real) => {
  const { root, call } = caseWorld([['file', real, 'one\n']]);
  const result = await call('Write', { file_path: join(root, given), content: 'two\n' });
  expect(result).toMatchObject({ metadata: { filePath: join(root, real) }, output: expect.stringMatching(says) });
  expect(readFileSync(join(root, real), 'utf8')).toBe('two\n');
});

table([
  ["it's.txt", 'it\u2019s.txt'],
  ['a b.txt', 'a\u202fb.txt'],
  ['a b/c.txt', 'a\u00a0b/c.txt'],
])('Write creates a new file beside a merely similar name, and rules match the new name', async (given, real) => {
  const permissions = createPermissions({ mode: 'dontAsk', allow: [`Edit(${real})`] });
  const { root, call } = caseWorld([['file', real, 'one\n']], { permissions });
  const input = { file_path: join(root, given), content: 'two\n' };
  expect(await call('Write', input)).toMatchObject({ error: { code: 'permission_denied' } });
  permissions.addRules({ allow: ['Edit(**)'] });
  expect(await call('Write', input)).toMatchObject({ metadata: { type: 'create', filePath: join(root, given) } });
  expect(readFileSync(join(root, real), 'utf8')).toBe('one\n');
});

table([
  ['\u00e9.env', 'e\u0301.env'],
  ["k'ey.env", 'k\u2019ey.env'],
  ['s x/a.env', 's\u00a0x/a.env'],
])('a deny rule also covers similar names in files, searches and commands', async (rule, real) => {
  const permissions = createPermissions({ mode: 'bypassPermissions', deny: [`Read(${rule})`] });
  const { root, call } = caseWorld([['file', real, 'SECRET']], { permissions });
  const denied = { error: { code: 'permission_denied' } };
  expect(await call('Read', { file_path: join(root, real) })).toMatchObject(denied);
  expect((await call('Grep', { pattern: 'SECRET' })).output).not.toContain('.env');
  expect(await call('Bash', { command: `cat "${real}"` })).toMatchObject(denied);
  expect(await call('Bash', { command: `grep -r SECRET "${join(root, real, '..')}"` })).toMatchObject(denied);
});

test('a notebook is found too', async () => {
  const cells =
    '{"cells":[{"cell_type":"markdown","metadata":{},"source":"x"}],"metadata":{},"nbformat":4,"nbformat_minor":4}';
  const { root, call } = caseWorld([['file', 'it\u2019s.ipynb', cells]]);
  const input = { notebook_path: join(root, "it's.ipynb"), cell_id: 'cell-0', new_source: 'y' };
  expect(await call('NotebookEdit', input)).toMatchObject({ ok: true });
});

test('several similar names are listed in the error', async () => {
  const { root, call } = caseWorld([
    ['file', 'a\u00a0b', 'x'],
    ['file', 'a\u202fb', 'x'],
  ]);
  const result = await call('Read', { file_path: join(root, 'a b') });
  expect(result).toMatchObject({ error: { code: 'file_not_found' } });
  for (const name of ['a\u00a0b', 'a\u202fb']) expect(result.output).toContain(join(root, name));
});

test('an exact name wins, and a name without similar ones is a new file', async () => {
  const { root, call } = caseWorld([
    ['file', composed, 'composed'],
    ['file', decomposed, 'decomposed'],
    ['file', 'a-b c', 'x'],
  ]);
  expect((await call('Read', { file_path: join(root, decomposed) })).output).toBe('1\tdecomposed');
  expect(await call('Write', { file_path: join(root, 'a\u2013b c'), content: 'y' })).toMatchObject({
    metadata: { type: 'create' },
  });
});

test('rules and confinement check the opened path', async () => {
  const permissions = createPermissions({ mode: 'bypassPermissions', deny: ['Read(**/it\u2019s secret)'] });
  const { root, outside, call } = caseWorld([['file', 'it\u2019s secret', 'x']], { permissions });
  expect(await call('Read', { file_path: join(root, "it's secret") })).toMatchObject({
    error: { code: 'permission_denied' },
  });
  symlinkSync(outside, join(root, 'l\u202fo'));
  mkdirSync(join(outside, 'in side'));
  writeFileSync(join(outside, 'in side', 'f'), 'x');
  for (const path of ['l o', 'l o/secret.txt', 'l o/in\u202fside/f']) {
    expect(await call('Read', { file_path: join(root, path) })).toMatchObject({ error: { code: 'path_outside_root' } });
  }
});

test('a link to nothing is not followed repeatedly', async () => {
  const { root, call } = caseWorld();
  symlinkSync('a b', join(root, 'a\u202fb'));
  expect(await call('Read', { file_path: join(root, 'a b') })).toMatchObject({ error: { code: 'file_not_found' } });
});
