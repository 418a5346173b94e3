import { strict as assert } from 'node:assert';
import type { FileSystem, GrepQuery } from '../host/file-system.js';
import { plainQuery, refuses, type Trial, trial, verbs } from './conformance-trial.js';

/** An empty file system to try, whose root can be written to. */
export interface ConformanceSubject {
  readonly files: FileSystem;
  /** Called when the case is over. */
  dispose?(): Promise<void> | void;
}

/** One thing that every file system must do. `run` rejects with an AssertionError when it does not. */
export interface ConformanceCase {
  readonly name: string;
  run(makeFiles: () => Promise<ConformanceSubject> | ConformanceSubject): Promise<void>;
}

/**
 * What the pipeline and the tools rely on, as cases for any test runner:
 * `for (const { name, run } of fileSystemConformance) test(name, () => run(() => ({ files: new MyFiles() })));`
 */
export const fileSystemConformance: readonly ConformanceCase[] = [
  define('a new file holds exactly the bytes it was given', async ({ put, text, files, at, scope }) => {
    await put('a', 'x\r\n\0\u{1f44d}');
    assert.equal(await text('a'), 'x\r\n\0\u{1f44d}');
    assert.equal((await files.stat(at('a'), scope))?.size, 8);
  }),
  define('slices are written one after the other', async ({ files, at, text, scope }) => {
    await files.update(at('a'), () => ({ slices: ['one', '', 'two'].map((part) => Buffer.from(part)) }), scope);
    assert.equal(await text('a'), 'onetwo');
  }),
  define('an update says whether it made the file, and the state after it', async ({ files, at, scope }) => {
    const first = await files.update(at('a'), () => ({ slices: [Buffer.from('1')] }), scope);
    const second = await files.update(at('a'), () => ({ slices: [Buffer.from('22')] }), scope);
    assert.deepEqual([first?.created, first?.stat.size, second?.created, second?.stat.size], [true, 1, false, 2]);
    assert.equal(second?.path, await files.resolve(at('a'), scope));
    assert.equal((await files.stat(at('a'), scope))?.version, second?.stat.version);
    assert.notEqual(first?.stat.version, second?.stat.version);
  }),
  define('a change sees the current content, or nothing', async ({ files, at, put, text, scope }) => {
    await files.update(at('a'), (current) => ({ slices: [Buffer.from(String(current))] }), scope);
    assert.equal(await text('a'), 'undefined');
    await put('b', 'old');
    await files.update(at('b'), async (current) => ({ slices: [(await current?.bytes()) ?? Buffer.of(), Buffer.from('+new')] }), scope);
    assert.equal(await text('b'), 'old+new');
  }),
  define('a change that answers nothing or throws leaves everything as it is', async ({ files, at, put, text, scope }) => {
    await put('a', 'x');
    assert.equal(await files.update(at('a'), () => undefined, scope), undefined);
    assert.equal(await files.update(at('new'), () => undefined, scope), undefined);
    await assert.rejects(
      files.update(at('a'), () => Promise.reject(new Error('mine')), scope),
      /mine/,
    );
    assert.equal(await text('a'), 'x');
    assert.equal(await files.stat(at('new'), scope), undefined);
  }),
  define('missing folders are made', async ({ put, text }) => {
    await put('x/y/z', '1');
    assert.equal(await text('x/y/z'), '1');
  }),
  define('updates of one file run one after the other, in the order they were asked for', async ({ files, at, text, scope }) => {
    const append = (part: string) =>
      files.update(
        at('a'),
        async (current) => {
          const before = (await current?.bytes()) ?? Buffer.of();
          await Promise.resolve();
          return { slices: [before, Buffer.from(part)] };
        },
        scope,
      );
    await Promise.all(Array.from({ length: 25 }, (_, index) => append(`${index},`)));
    assert.equal(await text('a'), Array.from({ length: 25 }, (_, index) => `${index},`).join(''));
  }),
  define('a file is read at any position, and its end is told by 0', async ({ files, at, put, scope }) => {
    await put('a', '0123456789');
    const file = await files.open(at('a'), scope);
    const buffer = Buffer.alloc(4);
    const counts = [
      await file.read(buffer, 3),
      buffer.toString(),
      await file.read(buffer, 8),
      buffer.toString('utf8', 0, 2),
      await file.read(buffer, 10),
    ];
    await file.close();
    assert.deepEqual(counts, [4, '3456', 2, '89', 0]);
  }),
  define('an open file stays what it was while another content comes in its place', async ({ files, at, put, scope }) => {
    await put('a', 'old');
    const file = await files.open(at('a'), scope);
    await put('a', 'new and longer');
    const buffer = Buffer.alloc(100);
    assert.equal(buffer.toString('utf8', 0, await file.read(buffer, 0)), 'old');
    await file.close();
  }),
  define('what is not there', async ({ files, at, put, scope }) => {
    await put('name.txt', 'x');
    assert.equal(await files.stat(at('none'), scope), undefined);
    await refuses(files.open(at('nam.txt'), scope), 'file_not_found');
    await assert.rejects(files.open(at('nam.txt'), scope), /name\.txt/);
    assert.equal(await files.remove(at('none'), scope), false);
  }),
  define('a folder is no file', async ({ files, at, put, scope }) => {
    await put('d/f', 'x');
    assert.equal((await files.stat(at('d'), scope))?.kind, 'directory');
    await refuses(files.open(at('d'), scope), 'not_a_file');
    await refuses(files.remove(at('d'), scope), 'not_a_file');
    await refuses(
      files.update(at('d'), () => ({ slices: [] }), scope),
      'not_a_file',
    );
    await refuses(
      files.update(at('d/f/g'), () => ({ slices: [] }), scope),
      'not_a_file',
    );
  }),
  define('a removed file is gone', async ({ files, at, put, scope }) => {
    await put('a', 'x');
    assert.equal(await files.remove(at('a'), scope), true);
    assert.equal(await files.stat(at('a'), scope), undefined);
  }),
  define('a folder is listed by name', async ({ files, at, put, scope }) => {
    for (const name of ['d/b', 'd/a', 'd/.c', 'd/e/f']) await put(name, 'x');
    const entries = await files.list(at('d'), scope);
    assert.deepEqual(
      entries.map(({ name, kind }) => `${name} ${kind}`),
      ['.c file', 'a file', 'b file', 'e directory'],
    );
  }),
  define('every verb keeps to the root and to absolute paths', async ({ files, at, scope }) => {
    for (const verb of verbs(files, scope)) {
      await refuses(verb('relative/path'), 'path_not_absolute');
      await refuses(verb(at('../outside')), 'path_outside_root');
      await refuses(verb('/no-such-root/file'), 'path_outside_root');
      await refuses(verb(at('a\0b')), 'invalid_input');
      await refuses(verb(''), 'invalid_input');
    }
  }),
  define('several spellings of a path are one file', async ({ files, at, put, text, scope }) => {
    await put('d/../a', 'x');
    assert.equal(await text('./a'), 'x');
    assert.equal(await files.resolve(at('d/../a'), scope), await files.resolve(at('a'), scope));
  }),
  define('an aborted call does nothing', async ({ files, at, put, text, scope }) => {
    await put('a', 'x');
    const aborted = { ...scope, signal: AbortSignal.abort() };
    for (const verb of verbs(files, aborted)) await assert.rejects(verb(at('a')));
    assert.equal(await text('a'), 'x');
  }),
  define('glob finds by pattern, newest first, hidden files too, and never in .git', async ({ files, at, put, scope }) => {
    for (const name of ['b.ts', 'src/a.ts', 'src/.hidden.ts', '.git/x.ts', 'src/c.md']) await put(name, 'x');
    const found = async (pattern: string, path?: string) => {
      const { paths } = await files.glob({ pattern, path, maxFiles: 10 }, scope);
      return [...paths].sort();
    };
    const canonical = async (...names: string[]) => Promise.all(names.map((name) => files.resolve(at(name), scope)));
    assert.deepEqual(await found('**/*.ts'), await canonical('b.ts', 'src/.hidden.ts', 'src/a.ts'));
    assert.deepEqual(await found('*.ts'), await canonical('b.ts'));
    assert.deepEqual(await found('*.{ts,md}', at('src')), await canonical('src/.hidden.ts', 'src/a.ts', 'src/c.md'));
    const limited = await files.glob({ pattern: '**/*', maxFiles: 2 }, scope);
    assert.deepEqual([limited.paths.length, limited.total], [2, 4]);
  }),
  define('grep finds lines, files and counts', async ({ files, at, put, scope }) => {
    await put('a.txt', 'one\ntwo\nthree\n');
    await put('b.txt', 'two two\n');
    const grep = async (query: Partial<GrepQuery>) => (await files.grep({ ...plainQuery, ...query }, scope)).lines;
    const [first, second] = [await files.resolve(at('a.txt'), scope), await files.resolve(at('b.txt'), scope)];
    assert.deepEqual(await grep({ pattern: 'two' }), [`${first}:2:two`, `${second}:1:two two`]);
    assert.deepEqual(await grep({ pattern: 't.o', path: at('a.txt'), after: 1 }), [`${first}:2:two`, `${first}-3-three`]);
    assert.deepEqual([...(await grep({ pattern: 'TWO', ignoreCase: true, mode: 'files_with_matches' }))].sort(), [first, second]);
    assert.deepEqual(await grep({ pattern: 'two', mode: 'count', glob: 'a*' }), [`${first}:1`]);
    assert.deepEqual(await grep({ pattern: 'nothing' }), []);
    await refuses(files.grep({ ...plainQuery, pattern: '((' }, scope), 'invalid_input');
    await refuses(files.grep({ ...plainQuery, pattern: 'x', path: at('none') }, scope), 'file_not_found');
  }),
];

function define(name: string, body: (trial: Trial) => Promise<void>): ConformanceCase {
  return {
    name,
    async run(makeFiles) {
      const subject = await makeFiles();
      try {
        await body(trial(subject.files));
      } finally {
        await subject.dispose?.();
      }
    },
  };
}
