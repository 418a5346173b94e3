import { setImmediate } from 'node:timers/promises';
import { StoreFiles } from 'toolwright/files';
import { expect, test } from 'vitest';
import { ToolError } from '../../src/core/error.js';
import type { FileStore, StoredDocument } from '../../src/index.js';
import { callScope } from '../support/call-scope.js';
import { grepQuery } from '../support/search.js';
import { read, scopeOf, write } from '../support/user-files.js';

function recordingStore() {
  const documents = new Map<string, StoredDocument>();
  let version = 0;
  const store: FileStore = {
    read: async (name) => documents.get(name),
    write: async (name, bytes) => void documents.set(name, { bytes, mtimeMs: 0, version: `${++version}` }),
    remove: async (name) => documents.delete(name),
    names: async () => [...documents.keys()],
  };
  return { documents, store };
}

test('names reach the store relative to the root', async () => {
  const { documents, store } = recordingStore();
  await write(new StoreFiles({ root: '/w', store }), '/w/a/b.md', 'x');
  expect([...documents.keys()]).toEqual(['a/b.md']);
});

test('an update is repeated if the document changes meanwhile', async () => {
  const { documents, store } = recordingStore();
  const files = new StoreFiles({ root: '/w', store });
  await write(files, '/w/a', '1');
  let calls = 0;
  await files.update(
    '/w/a',
    async (current) => {
      if (calls++ === 0) documents.set('a', { bytes: Buffer.from('2'), mtimeMs: 0, version: 'theirs' });
      return { slices: [(await current?.bytes()) ?? Buffer.of(), Buffer.from('!')] };
    },
    callScope(),
  );
  expect(await read(files, '/w/a')).toBe('2!');
});

test('a search reads few documents at once, only those it needs, and counts the unreadable ones', async () => {
  const { documents, store } = recordingStore();
  for (let index = 0; index < 100; index++)
    documents.set(`in/${index}`, { bytes: Buffer.from('x'), mtimeMs: 0, version: '1' });
  for (const name of ['out', 'in/bad', 'in/worse'])
    documents.set(name, { bytes: Buffer.of(), mtimeMs: 0, version: '1' });
  let [now, most] = [0, 0];
  const names: string[] = [];
  const read = async (name: string) => {
    names.push(name);
    most = Math.max(most, ++now);
    await setImmediate();
    now--;
    if (name === 'in/bad' || name === 'in/worse') throw new ToolError('file_too_large', 'too large');
    return documents.get(name);
  };
  const files = new StoreFiles({ root: '/w', store: { ...store, read } });
  const found = await files.grep(grepQuery({ pattern: 'x', path: '/w/in', mode: 'files_with_matches' }), callScope());
  expect(found).toMatchObject({ total: 100, unreadable: 2 });
  expect(await files.glob({ pattern: '*', path: '/w/in', maxFiles: 10 }, callScope())).toMatchObject({
    total: 100,
    unreadable: 2,
  });
  expect(most).toBeLessThan(20);
  expect(names).not.toContain('out');
});

test('an update of a document that always changes fails', async () => {
  const { documents, store } = recordingStore();
  const files = new StoreFiles({ root: '/w', store });
  let calls = 0;
  const change = () => {
    documents.set('a', { bytes: Buffer.of(), mtimeMs: 0, version: `theirs ${++calls}` });
    return { slices: [] };
  };
  await expect(files.update('/w/a', change, scopeOf())).rejects.toMatchObject({ code: 'file_changed' });
});
