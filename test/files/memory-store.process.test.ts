import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { hostFiles, isMemoryName, MemoryDocuments, memoryStore, StoreFiles } from 'toolwright/files';
import { describe, expect, test } from 'vitest';
import { mountFiles } from '../../src/files/mounts/mounted-files.js';
import { grepQuery } from '../support/search.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { read, scopeOf, write } from '../support/user-files.js';

const query = grepQuery({ pattern: 'word' });

function withMemory() {
  const root = temporaryFolder();
  const table = new MemoryDocuments();
  const indexed: string[] = [];
  const disk = hostFiles({ root, limits: defaultLimits, ripgrep: false });
  const store = memoryStore(table, (name, text) => void indexed.push(`${name}=${text}`));
  const mount = { path: root, files: new StoreFiles({ root, store }), claims: isMemoryName };
  return { root, table, indexed, disk, files: mountFiles(disk, [mount]) };
}

describe('the memory of an agent', () => {
  test('is in its store, and all other files are on the disk', async () => {
    const { root, disk, files, table } = withMemory();
    for (const name of ['MEMORY.md', 'memory/a.md', 'src/MEMORY.md']) await write(files, join(root, name), name);
    expect(await table.names({ agentId: 'a', userId: 'u1' })).toEqual(['MEMORY.md', 'memory/a.md']);
    expect(await disk.stat(join(root, 'MEMORY.md'), scopeOf())).toBeUndefined();
    expect(await disk.stat(join(root, 'src/MEMORY.md'), scopeOf())).toBeDefined();
  });

  test('belongs to the user, and otherwise to the agent', async () => {
    const { root, files } = withMemory();
    const path = join(root, 'MEMORY.md');
    await write(files, path, 'common', scopeOf());
    expect(await read(files, path, scopeOf('u1'))).toBe('common');
    await write(files, path, 'mine', scopeOf('u1'));
    expect([await read(files, path, scopeOf('u1')), await read(files, path, scopeOf('u2'))]).toEqual([
      'mine',
      'common',
    ]);
    expect(await files.remove(path, scopeOf('u1'))).toBe(true);
    expect(await read(files, path, scopeOf('u1'))).toBe('common');
  });

  test('reports each written Markdown document, and keeps it if the listener fails', async () => {
    const { root, files, indexed } = withMemory();
    await write(files, join(root, 'memory/a.md'), 'x');
    await write(files, join(root, 'memory/a.txt'), 'x');
    expect(indexed).toEqual(['memory/a.md=x']);
    const table = new MemoryDocuments();
    const failing = new StoreFiles({
      root: '/w',
      store: memoryStore(table, () => Promise.reject(new Error('no index'))),
    });
    await write(failing, '/w/MEMORY.md', 'kept');
    expect(await read(failing, '/w/MEMORY.md')).toBe('kept');
  });

  test('is found, searched and listed with the files of the disk', async () => {
    const { root, files } = withMemory();
    await write(files, join(root, 'b.md'), 'one word\n');
    await write(files, join(root, 'memory/a.md'), 'two word\n');
    const found = await files.glob({ pattern: '**/*.md', maxFiles: 10 }, scopeOf('u1'));
    expect([...found.paths].sort()).toEqual([join(root, 'b.md'), join(root, 'memory/a.md')]);
    const { lines } = await files.grep(query, scopeOf('u1'));
    expect(lines).toEqual([`${join(root, 'b.md')}:1:one word`, `${join(root, 'memory/a.md')}:1:two word`]);
    expect(await files.list(root, scopeOf('u1'))).toEqual([
      { name: 'b.md', kind: 'file' },
      { name: 'memory', kind: 'directory' },
    ]);
    expect((await files.grep({ ...query, path: join(root, 'memory') }, scopeOf('u1'))).lines).toHaveLength(1);
  });

  test('hides a file of the disk with the same path', async () => {
    const { root, files } = withMemory();
    writeFileSync(join(root, 'MEMORY.md'), 'word on disk\n');
    expect(await files.stat(join(root, 'MEMORY.md'), scopeOf('u1'))).toBeUndefined();
    expect((await files.glob({ pattern: '*', maxFiles: 10 }, scopeOf('u1'))).paths).toEqual([]);
    expect((await files.grep(query, scopeOf('u1'))).lines).toEqual([]);
  });

  test('is reached through a link too', async () => {
    const { root, files } = withMemory();
    mkdirSync(join(root, 'd'));
    symlinkSync(join(root, 'memory'), join(root, 'd', 'notes'));
    await write(files, join(root, 'd', 'notes', 'a.md'), 'x');
    expect(await read(files, join(root, 'memory', 'a.md'))).toBe('x');
  });
});
