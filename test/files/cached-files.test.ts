import { closeSync, mkdirSync, openSync, readFileSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hostFiles } from 'toolwright/files';
import { faultyFiles } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { cacheReads } from '../../src/files/cache-reads.js';
import type { FileRequest } from '../../src/testing/index.js';
import { callScope } from '../support/call-scope.js';
import { caseWorld } from '../support/case-world.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Files of a new folder behind a cache, and the names that were read from the disk. */
function cached(limits = { maxCacheBytes: 1_000, maxCachedFileBytes: 500 }) {
  const root = temporaryFolder();
  const asked: FileRequest[] = [];
  const disk = faultyFiles(hostFiles({ root }), (request) => {
    asked.push(request);
    return undefined;
  });
  const files = cacheReads(disk, { limits });
  const at = (name: string) => join(root, name);
  /** Writes content with an old modification time. */
  const put = (name: string, content: string, ageMs = 60_000) => {
    writeFileSync(at(name), content);
    const time = (Date.now() - ageMs) / 1_000;
    utimesSync(at(name), time, time);
  };
  const read = async (name: string, sessionId = 's1') => {
    const file = await files.open(at(name), callScope({ caller: { sessionId } }));
    const buffer = Buffer.alloc(2_000);
    let text = '';
    for (let count = await file.read(buffer, 0); count > 0; count = await file.read(buffer, text.length))
      text += buffer.toString('utf8', 0, count);
    await file.close();
    return text;
  };
  const reads = () => new Set(asked.filter(({ operation }) => operation === 'read').map(({ number }) => number)).size;
  return { root, at, files, put, read, reads, asked };
}

test('a file that one session read is served from memory to another', async () => {
  const { put, read, reads } = cached();
  put('a', 'text');
  expect(await read('a', 'one')).toBe('text');
  const before = reads();
  expect(await read('a', 'two')).toBe('text');
  expect(await read('a', 'one')).toBe('text');
  expect(reads()).toBe(before);
});

describe('a cached file is read again', () => {
  test('after a change through the same file system', async () => {
    const { put, read, files, at } = cached();
    put('a', 'old');
    await read('a');
    await files.update(at('a'), () => ({ slices: [Buffer.from('new')] }), callScope());
    expect(await read('a')).toBe('new');
    await files.remove(at('a'), callScope());
    await expect(read('a')).rejects.toMatchObject({ code: 'file_not_found' });
  });

  test('after a change in place by another program with the same size', async () => {
    const { put, read, at } = cached();
    put('a', 'old');
    await read('a');
    const descriptor = openSync(at('a'), 'r+');
    writeSync(descriptor, 'new', 0);
    closeSync(descriptor);
    expect(await read('a')).toBe('new');
  });

  test('after a change with a restored modification time', async () => {
    const { put, read } = cached();
    put('a', 'old');
    await read('a');
    put('a', 'new');
    expect(await read('a')).toBe('new');
  });

  test('if its modification time is too recent to show another write', async () => {
    const { put, read, reads } = cached();
    put('a', 'text', 0);
    await read('a');
    const before = reads();
    await read('a');
    expect(reads()).toBeGreaterThan(before);
  });

  test('if it is larger than the limit', async () => {
    const { put, read, reads } = cached();
    put('a', 'x'.repeat(501));
    await read('a');
    const before = reads();
    expect(await read('a')).toBe('x'.repeat(501));
    expect(reads()).toBeGreaterThan(before);
  });

  test('after eviction', async () => {
    const { put, read, reads } = cached();
    for (const name of ['a', 'b', 'c']) put(name, name.repeat(400));
    for (const name of ['a', 'b', 'a', 'c']) await read(name);
    const before = reads();
    await read('a');
    expect(reads()).toBe(before);
    await read('b');
    expect(reads()).toBeGreaterThan(before);
  });
});

test('a file that may no longer be opened is not served from memory', async () => {
  const root = temporaryFolder();
  const path = join(root, 'a');
  writeFileSync(path, 'x');
  const hidden = new Set<string>();
  const files = cacheReads(hostFiles({ root, isHidden: (each) => hidden.has(each) }), {
    now: () => Date.now() + 60_000,
  });
  const read = async () => (await files.open(path, callScope())).read(Buffer.alloc(1), 0);
  expect([await read(), await read()]).toEqual([1, 1]);
  hidden.add(path);
  await expect(read()).rejects.toThrow();
});

test('sessions of a toolkit share read files and see edits', async () => {
  const { root, toolkit } = caseWorld([], { files: { cacheReads: true } });
  const path = join(root, 'a.txt');
  utimesSync(path, 1_000_000, 1_000_000);
  const call = async (sessionId: string, name: string, input: object) =>
    (await toolkit.execute([{ id: '1', name, input: { file_path: path, ...input } }], { caller: { sessionId } }))
      .results[0]?.output;
  expect(await call('one', 'Read', {})).toBe('1\talpha\n2\tbeta');
  expect(await call('two', 'Read', {})).toBe('1\talpha\n2\tbeta');
  await call('two', 'Edit', { old_string: 'beta', new_string: 'BETA' });
  expect(await call('one', 'Read', {})).toBe('1\talpha\n2\tBETA');
  expect(readFileSync(path, 'utf8')).toBe('alpha\nBETA\n');
});

test('an empty folder is removed through the cache too', async () => {
  const { root, files, put, at } = cached();
  mkdirSync(join(root, 'empty'));
  expect(await files.removeFolder?.(at('empty'), callScope())).toBe(true);
  put('a.txt', 'a');
  expect(await files.removeFolder?.(root, callScope())).toBe(false);
});
