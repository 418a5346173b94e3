import { strict as assert } from 'node:assert';
import type { ContentChange } from '../ports/file-system.js';
import { searchConformance } from './file-search.js';
import { pathMethods, refuses } from './file-system-trial.js';
import { type ConformanceCase, filesKit, same } from './kit.js';

const emptied = () => ({ slices: [] });
const adding =
  (part: string): ContentChange =>
  async (current) => {
    const before = (await current?.bytes()) ?? Buffer.of();
    await Promise.resolve();
    return { slices: [before, Buffer.from(part)] };
  };

/**
 * What the pipeline and the tools require of a file system, as cases for any test runner: `for (const { name, run } of
 * fileSystemConformance) test(name, () => run(() => ({ files: new MyFiles() })));`
 */
export const fileSystemConformance: readonly ConformanceCase[] = [
  ...filesKit({
    'a new file holds exactly the bytes it was given': async ({ put, text, files, at, scope }) => {
      await put('a', 'x\r\n\0\u{1f44d}');
      assert.equal(await text('a'), 'x\r\n\0\u{1f44d}');
      assert.equal((await files.stat(at('a'), scope))?.size, 8);
    },
    'slices are written in order': async ({ files, at, text, scope }) => {
      await files.update(at('a'), () => ({ slices: ['one', '', 'two'].map((part) => Buffer.from(part)) }), scope);
      assert.equal(await text('a'), 'onetwo');
    },
    'an update returns whether it created the file, and its new state': async ({ files, at, scope }) => {
      const first = await files.update(at('a'), () => ({ slices: [Buffer.from('1')] }), scope);
      const second = await files.update(at('a'), () => ({ slices: [Buffer.from('22')] }), scope);
      same([first?.created, first?.stat.size, second?.created, second?.stat.size], [true, 1, false, 2]);
      assert.equal(second?.path, await files.resolve(at('a'), scope));
      assert.equal((await files.stat(at('a'), scope))?.version, second?.stat.version);
      assert.notEqual(first?.stat.version, second?.stat.version);
    },
    'a change gets the current content, or undefined for a new file': async ({ files, at, put, text, scope }) => {
      await files.update(at('a'), (current) => ({ slices: [Buffer.from(String(current))] }), scope);
      assert.equal(await text('a'), 'undefined');
      await put('b', 'old');
      await files.update(at('b'), adding('+new'), scope);
      assert.equal(await text('b'), 'old+new');
    },
    'a change that returns undefined or throws changes nothing': async ({ files, at, put, text, scope }) => {
      await put('a', 'x');
      assert.equal(await files.update(at('a'), () => undefined, scope), undefined);
      assert.equal(await files.update(at('new'), () => undefined, scope), undefined);
      const mine = () => Promise.reject(new Error('mine'));
      await assert.rejects(files.update(at('a'), mine, scope), /mine/);
      assert.equal(await text('a'), 'x');
      assert.equal(await files.stat(at('new'), scope), undefined);
    },
    'missing folders are created': async ({ put, text }) => {
      await put('x/y/z', '1');
      assert.equal(await text('x/y/z'), '1');
    },
    'updates of one file run one after the other, in the order of their calls': async ({ files, at, text, scope }) => {
      const parts = Array.from({ length: 25 }, (_, index) => `${index},`);
      await Promise.all(parts.map((part) => files.update(at('a'), adding(part), scope)));
      assert.equal(await text('a'), parts.join(''));
    },
    'a file can be read at any position, and a read at its end returns 0 bytes': async ({ files, at, put, scope }) => {
      await put('a', '0123456789');
      const file = await files.open(at('a'), scope);
      const buffer = Buffer.alloc(4);
      same([await file.read(buffer, 3), buffer.toString()], [4, '3456']);
      same([await file.read(buffer, 8), buffer.toString('utf8', 0, 2)], [2, '89']);
      assert.equal(await file.read(buffer, 10), 0);
      await file.close();
    },
    'an open file keeps its content while the file is replaced': async ({ files, at, put, scope }) => {
      await put('a', 'old');
      const file = await files.open(at('a'), scope);
      await put('a', 'new and longer');
      const buffer = Buffer.alloc(100);
      assert.equal(buffer.toString('utf8', 0, await file.read(buffer, 0)), 'old');
      await file.close();
    },
    'for a missing file stat returns undefined, remove returns false, and the error of open names a similar file':
      async ({ files, at, put, scope }) => {
        await put('name.txt', 'x');
        assert.equal(await files.stat(at('none'), scope), undefined);
        await refuses(files.open(at('nam.txt'), scope), 'file_not_found');
        await assert.rejects(files.open(at('nam.txt'), scope), /name\.txt/);
        assert.equal(await files.remove(at('none'), scope), false);
      },
    'a folder cannot be opened, removed or updated as a file': async ({ files, at, put, scope }) => {
      await put('d/f', 'x');
      assert.equal((await files.stat(at('d'), scope))?.kind, 'directory');
      await refuses(files.open(at('d'), scope), 'not_a_file');
      await refuses(files.glob({ pattern: '*', path: at('d/f'), maxFiles: 1 }, scope), 'not_a_file');
      await refuses(files.glob({ pattern: '*', path: at('none'), maxFiles: 1 }, scope), 'file_not_found');
      await refuses(files.remove(at('d'), scope), 'not_a_file');
      for (const name of ['d', 'd/f/g']) await refuses(files.update(at(name), emptied, scope), 'not_a_file');
    },
    'a path that ends with a slash or dots does not name a file': async ({ files, at, put, text, scope }) => {
      await put('d/f', 'x');
      for (const name of ['d/f/', 'd/f/.', 'new/', 'new/.', 'new/x/..', 'd/', 'd/.']) {
        await refuses(files.open(at(name), scope), 'not_a_file');
        await refuses(files.remove(at(name), scope), 'not_a_file');
        await refuses(files.update(at(name), emptied, scope), 'not_a_file');
      }
      assert.equal(await text('d/f'), 'x');
      assert.equal(await files.stat(at('new'), scope), undefined);
    },
    'a removed file is gone': async ({ files, at, put, scope }) => {
      await put('a', 'x');
      assert.equal(await files.remove(at('a'), scope), true);
      assert.equal(await files.stat(at('a'), scope), undefined);
    },
    'the entries of a folder are sorted by name': async ({ files, at, put, scope }) => {
      for (const name of ['d/b', 'd/a', 'd/.c', 'd/e/f']) await put(name, 'x');
      const entries = await files.list(at('d'), scope);
      const shown = entries.map(({ name, kind }) => `${name} ${kind}`);
      same(shown, ['.c file', 'a file', 'b file', 'e directory']);
    },
    'every method accepts only absolute paths inside the root': async ({ files, at, scope }) => {
      for (const method of pathMethods(files, scope)) {
        await refuses(method('relative/path'), 'path_not_absolute');
        await refuses(method(at('../outside')), 'path_outside_root');
        await refuses(method('/no-such-root/file'), 'path_outside_root');
        await refuses(method(at('a\0b')), 'invalid_input');
        await refuses(method(''), 'invalid_input');
      }
    },
    'different spellings of a path name the same file': async ({ files, at, put, text, scope }) => {
      await put('d/../a', 'x');
      assert.equal(await text('./a'), 'x');
      assert.equal(await files.resolve(at('d/../a'), scope), await files.resolve(at('a'), scope));
    },
    'an aborted call does nothing': async ({ files, at, put, text, scope }) => {
      await put('a', 'x');
      const aborted = { ...scope, signal: AbortSignal.abort() };
      for (const method of pathMethods(files, aborted)) await assert.rejects(method(at('a')));
      assert.equal(await text('a'), 'x');
    },
  }),
  ...searchConformance,
];
