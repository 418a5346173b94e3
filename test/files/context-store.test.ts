import { contextStore, MemoryDocuments, StoreFiles } from 'toolwright/files';
import { memoryFiles } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { mountFiles } from '../../src/files/mounts/mounted-files.js';
import { contextFileNames } from '../../src/files/store/context-and-memory.js';
import { read, scopeOf, write } from '../support/user-files.js';

describe('context files', () => {
  function withContext(kind: 'open' | 'predefined') {
    const table = new MemoryDocuments();
    const base = memoryFiles({ root: '/w' });
    const claims = (name: string) => contextFileNames.some((known) => known === name);
    const mount = { path: '/w', files: new StoreFiles({ root: '/w', store: contextStore(table, () => kind) }), claims };
    const agent = { agentId: 'a', userId: undefined };
    return { table, agent, base, files: mountFiles(base, [mount]) };
  }

  test('a user of an open agent has its own files, and otherwise reads those of the agent', async () => {
    const { files, table, agent } = withContext('open');
    await table.put(agent, 'SOUL.md', Buffer.from('template'));
    expect(await read(files, '/w/SOUL.md')).toBe('template');
    await write(files, '/w/SOUL.md', 'mine');
    expect([await read(files, '/w/SOUL.md', scopeOf('u1')), await read(files, '/w/SOUL.md', scopeOf('u2'))]).toEqual([
      'mine',
      'template',
    ]);
  });

  test('only USER.md of a predefined agent belongs to the user', async () => {
    const { files } = withContext('predefined');
    await write(files, '/w/SOUL.md', 'shared', scopeOf('u1'));
    await write(files, '/w/USER.md', 'mine', scopeOf('u1'));
    expect([await read(files, '/w/SOUL.md', scopeOf('u2')), await read(files, '/w/USER.md', scopeOf('u2'))]).toEqual([
      'shared',
      undefined,
    ]);
  });

  test('an empty BOOTSTRAP.md is removed', async () => {
    const { files, table } = withContext('open');
    await write(files, '/w/BOOTSTRAP.md', 'first run');
    await write(files, '/w/BOOTSTRAP.md', '');
    expect(await table.names({ agentId: 'a', userId: 'u1' })).toEqual([]);
    expect(await read(files, '/w/BOOTSTRAP.md')).toBeUndefined();
  });

  test('a BOOTSTRAP.md emptied by a user is removed for that user only', async () => {
    const { files, table, agent } = withContext('open');
    await table.put(agent, 'BOOTSTRAP.md', Buffer.from('first run'));
    await write(files, '/w/BOOTSTRAP.md', '', scopeOf('u1'));
    expect([
      await read(files, '/w/BOOTSTRAP.md', scopeOf('u1')),
      await read(files, '/w/BOOTSTRAP.md', scopeOf('u2')),
    ]).toEqual([undefined, 'first run']);
    expect((await files.list('/w', scopeOf('u1'))).map(({ name }) => name)).not.toContain('BOOTSTRAP.md');
    await write(files, '/w/BOOTSTRAP.md', 'again', scopeOf('u1'));
    expect(await read(files, '/w/BOOTSTRAP.md', scopeOf('u1'))).toBe('again');
  });

  test('a BOOTSTRAP.md that was changed since it was read is not removed', async () => {
    const { table } = withContext('open');
    const store = contextStore(table, () => 'open');
    const scope = scopeOf('u1');
    await store.write('BOOTSTRAP.md', Buffer.from('first run'), scope);
    const read = await store.read('BOOTSTRAP.md', scope);
    await store.write('BOOTSTRAP.md', Buffer.from('another'), scope, { expected: read?.version });
    const emptied = (expected?: string | null) => store.write('BOOTSTRAP.md', Buffer.alloc(0), scope, { expected });
    for (const expected of [read?.version, null])
      await expect(emptied(expected)).rejects.toMatchObject({ code: 'file_changed' });
    const { version } = (await store.read('BOOTSTRAP.md', scope)) ?? {};
    await emptied(version);
    expect(await table.names({ agentId: 'a', userId: 'u1' })).toEqual([]);
  });

  test('a BOOTSTRAP.md of a predefined agent is removed for all users', async () => {
    const { files, table, agent } = withContext('predefined');
    await table.put(agent, 'BOOTSTRAP.md', Buffer.from('first run'));
    await write(files, '/w/BOOTSTRAP.md', '', scopeOf('u1'));
    expect(await read(files, '/w/BOOTSTRAP.md', scopeOf('u2'))).toBeUndefined();
    expect(await table.names(agent)).toEqual([]);
  });

  test('other files, and the same names in folders, belong to the base', async () => {
    const { files, base } = withContext('open');
    await write(files, '/w/docs/SOUL.md', 'x');
    await write(files, '/w/README.md', 'y');
    expect(base.paths()).toEqual(['/w/README.md', '/w/docs/SOUL.md']);
  });
});
