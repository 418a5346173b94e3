import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../src/core/limits.js';
import { contextFileNames, contextStore } from '../../src/files/context-store.js';
import { hostFiles } from '../../src/files/host-files.js';
import { MemoryDocuments } from '../../src/files/memory-documents.js';
import { isMemoryName, memoryStore } from '../../src/files/memory-store.js';
import { mountFiles } from '../../src/files/mounted-files.js';
import { StoreFiles } from '../../src/files/store-files.js';
import type { FileSystem } from '../../src/host/file-system.js';
import { memoryFiles } from '../../src/testing/memory-files.js';
import { callScope } from '../support/call-scope.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const scopeOf = (userId?: string) => callScope({ caller: { sessionId: 's', agentId: 'a', ...(userId === undefined ? {} : { userId }) } });

async function write(files: FileSystem, path: string, text: string, scope = scopeOf('u1')): Promise<void> {
  await files.update(path, () => ({ slices: [Buffer.from(text)] }), scope);
}

async function read(files: FileSystem, path: string, scope = scopeOf('u1')): Promise<string | undefined> {
  if ((await files.stat(path, scope)) === undefined) return undefined;
  const file = await files.open(path, scope);
  const buffer = Buffer.alloc(1_000);
  const count = await file.read(buffer, 0);
  await file.close();
  return buffer.toString('utf8', 0, count);
}

const grepQuery = {
  pattern: 'word',
  mode: 'content',
  before: 0,
  after: 0,
  lineNumbers: true,
  ignoreCase: false,
  onlyMatching: false,
  multiline: false,
  limit: 100,
} as const;

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
  test('goes to its store, everything else to the disk', async () => {
    const { root, disk, files, table } = withMemory();
    for (const name of ['MEMORY.md', 'memory/a.md', 'src/MEMORY.md']) await write(files, join(root, name), name);
    expect(await table.names({ agentId: 'a', userId: 'u1' })).toEqual(['MEMORY.md', 'memory/a.md']);
    expect(await disk.stat(join(root, 'MEMORY.md'), scopeOf())).toBeUndefined();
    expect(await disk.stat(join(root, 'src/MEMORY.md'), scopeOf())).toBeDefined();
  });

  test("is the user's own, and the agent's where the user has none", async () => {
    const { root, files } = withMemory();
    const path = join(root, 'MEMORY.md');
    await write(files, path, 'common', scopeOf());
    expect(await read(files, path, scopeOf('u1'))).toBe('common');
    await write(files, path, 'mine', scopeOf('u1'));
    expect([await read(files, path, scopeOf('u1')), await read(files, path, scopeOf('u2'))]).toEqual(['mine', 'common']);
    expect(await files.remove(path, scopeOf('u1'))).toBe(true);
    expect(await read(files, path, scopeOf('u1'))).toBe('common');
  });

  test('tells of each Markdown document that is written, and keeps it when the listener fails', async () => {
    const { root, files, indexed } = withMemory();
    await write(files, join(root, 'memory/a.md'), 'x');
    await write(files, join(root, 'memory/a.txt'), 'x');
    expect(indexed).toEqual(['memory/a.md=x']);
    const table = new MemoryDocuments();
    const failing = new StoreFiles({ root: '/w', store: memoryStore(table, () => Promise.reject(new Error('no index'))) });
    await write(failing, '/w/MEMORY.md', 'kept');
    expect(await read(failing, '/w/MEMORY.md')).toBe('kept');
  });

  test('is found, searched and listed together with the files of the disk', async () => {
    const { root, files } = withMemory();
    await write(files, join(root, 'b.md'), 'one word\n');
    await write(files, join(root, 'memory/a.md'), 'two word\n');
    const found = await files.glob({ pattern: '**/*.md', maxFiles: 10 }, scopeOf('u1'));
    expect([...found.paths].sort()).toEqual([join(root, 'b.md'), join(root, 'memory/a.md')]);
    const { lines } = await files.grep(grepQuery, scopeOf('u1'));
    expect(lines).toEqual([`${join(root, 'b.md')}:1:one word`, `${join(root, 'memory/a.md')}:1:two word`]);
    expect(await files.list(root, scopeOf('u1'))).toEqual([
      { name: 'b.md', kind: 'file' },
      { name: 'memory', kind: 'directory' },
    ]);
    expect((await files.grep({ ...grepQuery, path: join(root, 'memory') }, scopeOf('u1'))).lines).toHaveLength(1);
  });

  test('hides a file of the disk that stands in its place', async () => {
    const { root, files } = withMemory();
    writeFileSync(join(root, 'MEMORY.md'), 'word on disk\n');
    expect(await files.stat(join(root, 'MEMORY.md'), scopeOf('u1'))).toBeUndefined();
    expect((await files.glob({ pattern: '*', maxFiles: 10 }, scopeOf('u1'))).paths).toEqual([]);
    expect((await files.grep(grepQuery, scopeOf('u1'))).lines).toEqual([]);
  });

  test('is reached through a link as well', async () => {
    const { root, files } = withMemory();
    mkdirSync(join(root, 'd'));
    symlinkSync(join(root, 'memory'), join(root, 'd', 'notes'));
    await write(files, join(root, 'd', 'notes', 'a.md'), 'x');
    expect(await read(files, join(root, 'memory', 'a.md'))).toBe('x');
  });
});

describe('context files', () => {
  function withContext(kind: 'open' | 'predefined') {
    const table = new MemoryDocuments();
    const base = memoryFiles({ root: '/w' });
    const claims = (name: string) => contextFileNames.some((known) => known === name);
    const mount = { path: '/w', files: new StoreFiles({ root: '/w', store: contextStore(table, () => kind) }), claims };
    const agent = { agentId: 'a', userId: undefined };
    return { table, agent, base, files: mountFiles(base, [mount]) };
  }

  test("an open agent's user has its own, and reads the agent's where it has none", async () => {
    const { files, table, agent } = withContext('open');
    await table.put(agent, 'SOUL.md', Buffer.from('template'));
    expect(await read(files, '/w/SOUL.md')).toBe('template');
    await write(files, '/w/SOUL.md', 'mine');
    expect([await read(files, '/w/SOUL.md', scopeOf('u1')), await read(files, '/w/SOUL.md', scopeOf('u2'))]).toEqual(['mine', 'template']);
  });

  test("of a predefined agent only USER.md is the user's", async () => {
    const { files } = withContext('predefined');
    await write(files, '/w/SOUL.md', 'shared', scopeOf('u1'));
    await write(files, '/w/USER.md', 'mine', scopeOf('u1'));
    expect([await read(files, '/w/SOUL.md', scopeOf('u2')), await read(files, '/w/USER.md', scopeOf('u2'))]).toEqual(['shared', undefined]);
  });

  test('an empty BOOTSTRAP.md is removed', async () => {
    const { files, table } = withContext('open');
    await write(files, '/w/BOOTSTRAP.md', 'first run');
    await write(files, '/w/BOOTSTRAP.md', '');
    expect(await table.names({ agentId: 'a', userId: 'u1' })).toEqual([]);
    expect(await read(files, '/w/BOOTSTRAP.md')).toBeUndefined();
  });

  test('other files, and the same names deeper, pass to the base', async () => {
    const { files, base } = withContext('open');
    await write(files, '/w/docs/SOUL.md', 'x');
    await write(files, '/w/README.md', 'y');
    expect(base.paths()).toEqual(['/w/README.md', '/w/docs/SOUL.md']);
  });
});

test('the longest path wins, and the first of equals', async () => {
  const store = (text: string) => memoryFiles({ root: '/w', files: { '/w/d/e/f': text, '/w/d/f': text, '/w/f': text } });
  const files = mountFiles(store('base'), [
    { path: '/w/d', files: store('outer') },
    { path: '/w/d/e', files: store('inner') },
    { path: '/w/d/e', files: store('late') },
  ]);
  expect([await read(files, '/w/f'), await read(files, '/w/d/f'), await read(files, '/w/d/e/f')]).toEqual(['base', 'outer', 'inner']);
});

test('without mounts the base stays as it is', () => {
  const base = memoryFiles();
  expect(mountFiles(base, [])).toBe(base);
});
