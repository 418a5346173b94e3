import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FileStore, hostFiles, StoreFiles } from '../src/files.js';
import { createToolkit, defaultLimits, type ToolkitOptions } from '../src/index.js';
import { memoryFiles } from '../src/testing/index.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { testToolkit } from './support/test-toolkit.js';

function storeOf(documents: Readonly<Record<string, string>>): FileStore {
  return {
    read: async (name) => {
      const text = documents[name];
      return text === undefined ? undefined : { bytes: Buffer.from(text), mtimeMs: 0, version: '1' };
    },
    write: async () => {},
    remove: async () => false,
    names: async () => Object.keys(documents),
  };
}

const documents = { 'a.md': `word ${'x'.repeat(300)}\n`, 'b.md': 'word\n', 'c.md': 'other\n' };

/** The same documents as the whole file system, and in a mount. */
const places: readonly (readonly [string, () => { toolkitOptions: ToolkitOptions; folder: string }])[] = [
  [
    'files of the host',
    () => {
      const root = temporaryFolder();
      return { toolkitOptions: { root, hosts: { files: memoryFiles({ root, files: documents }) } }, folder: root };
    },
  ],
  [
    'the disk, as the host made it',
    () => {
      const root = temporaryFolder();
      for (const [name, text] of Object.entries(documents)) writeFileSync(join(root, name), text);
      return { toolkitOptions: { root, hosts: { files: hostFiles({ root, ripgrep: false }) } }, folder: root };
    },
  ],
  [
    'a mount',
    () => {
      const root = temporaryFolder();
      const folder = join(root, 'memory');
      const files = new StoreFiles({ root: folder, store: storeOf(documents) });
      return { toolkitOptions: { root, mounts: [{ path: folder, files }] }, folder };
    },
  ],
];

test.each(places)('the limits of the toolkit apply to searches of %s', async (_, make) => {
  const { toolkitOptions, folder } = make();
  const toolkit = testToolkit({ ...toolkitOptions, limits: { grep: { maxLineChars: 20 }, glob: { maxFiles: 1 } } });
  const { results } = await toolkit.execute([
    { id: '1', name: 'Grep', input: { pattern: 'word', path: folder, output_mode: 'content', offset: 0 } },
    { id: '2', name: 'Glob', input: { pattern: '*.md', path: folder } },
  ]);
  expect(results[0]?.output).toContain(`${join(folder, 'a.md')}:1:word ${'x'.repeat(15)} [cut; 305 bytes in all]`);
  expect(results[1]?.output).toContain('[2 more; narrow the pattern]');
});

test('limits of a given file system are its own', async () => {
  const root = temporaryFolder();
  const limits = { grep: { ...defaultLimits.grep, maxLineChars: 30 }, glob: defaultLimits.glob };
  const files = new StoreFiles({ root, store: storeOf(documents), limits });
  const toolkit = testToolkit({ root, hosts: { files }, limits: { grep: { maxLineChars: 20 } } });
  const { results } = await toolkit.execute([
    { id: '1', name: 'Grep', input: { pattern: 'word', output_mode: 'content' } },
  ]);
  expect(results[0]?.output).toContain(`word ${'x'.repeat(25)} [cut;`);
});

test('a toolkit does not dispose given files', async () => {
  const root = temporaryFolder();
  const memory = memoryFiles({ root, files: documents });
  const search = async () => {
    await using toolkit = createToolkit({ root, hosts: { files: memory } });
    const { results } = await toolkit.execute([{ id: '1', name: 'Grep', input: { pattern: 'other' } }]);
    return results[0]?.output;
  };
  expect([await search(), await search()]).toEqual([join(root, 'c.md'), join(root, 'c.md')]);
});

function mounted(root: string) {
  const path = join(root, 'notes');
  return { mounts: [{ path, files: new StoreFiles({ root: path, store: storeOf(documents) }) }] };
}

test.each([
  ['the disk', () => ({})],
  ['the disk, as the host made it', (root: string) => ({ hosts: { files: hostFiles({ root }) } })],
  ['files in memory', (root: string) => ({ hosts: { files: memoryFiles({ root, files: documents }) } })],
  ['files in memory with a mount', (root: string) => ({ hosts: { files: memoryFiles({ root }) }, ...mounted(root) })],
])('the file with a full long output can be read and searched but not changed, beside %s', async (_, options) => {
  const root = temporaryFolder();
  await using toolkit = createToolkit({ root, ...options(root), permissions: 'bypassPermissions' });
  const call = async (name: string, input: object) => (await toolkit.execute([{ id: '1', name, input }])).results[0];
  const shown = await call('Bash', { command: 'seq 1 20000' });
  const path = /full output: (\S+?)\]/.exec(shown?.output ?? '')?.[1] ?? '';
  expect((await call('Read', { file_path: path, offset: 12_345, limit: 1 }))?.output).toContain('12345\t12345');
  expect((await call('Grep', { pattern: '^1234$', path, output_mode: 'content' }))?.output).toBe(`${path}:1234:1234`);
  const outside = { error: { code: 'path_outside_root' } };
  expect(await call('Edit', { file_path: path, old_string: '12345', new_string: 'x' })).toMatchObject(outside);
  expect(await call('Write', { file_path: path, content: 'x' })).toMatchObject(outside);
  expect(await call('Read', { file_path: join(path, '../../other') })).toMatchObject(outside);
});

test('ripgrep can be disabled by an option', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.txt'), 'word\n');
  await using toolkit = createToolkit({ root, files: { ripgrep: false } });
  const { results } = await toolkit.execute([{ id: '1', name: 'Grep', input: { pattern: 'word' } }]);
  expect(results[0]?.metadata).toMatchObject({ engine: 'javascript', count: 1 });
});
