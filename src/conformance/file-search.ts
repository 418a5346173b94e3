import { posix } from 'node:path';
import { waitFor } from '../core/support/timers.js';
import type { GrepQuery } from '../ports/file-system.js';
import { plainQuery, refuses } from './file-system-trial.js';
import { type ConformanceCase, filesKit, same } from './kit.js';

/** The requirements for searches of a file system. */
export const searchConformance: readonly ConformanceCase[] = filesKit({
  'glob finds files by pattern, newest first, including hidden ones but not .git': async ({
    files,
    at,
    put,
    scope,
  }) => {
    for (const name of ['b.ts', 'src/a.ts', 'src/.hidden.ts', '.git/x.ts', 'src/c.md']) await put(name, 'x');
    const found = async (pattern: string, path?: string) => {
      const { paths } = await files.glob({ pattern, path, maxFiles: 10 }, scope);
      return [...paths].sort();
    };
    const canonical = async (...names: string[]) => Promise.all(names.map((name) => files.resolve(at(name), scope)));
    same(await found('**/*.ts'), await canonical('b.ts', 'src/.hidden.ts', 'src/a.ts'));
    same(await found('*.ts'), await canonical('b.ts'));
    same(await found('*.{ts,md}', at('src')), await canonical('src/.hidden.ts', 'src/a.ts', 'src/c.md'));
    const limited = await files.glob({ pattern: '**/*', maxFiles: 2 }, scope);
    same([limited.paths.length, limited.total], [2, 4]);
    // Some file systems store times in whole seconds.
    const timeOf = async (name: string) => (await files.stat(at(name), scope))?.mtimeMs ?? 0;
    const before = await timeOf('src/a.ts');
    for (let tries = 0; tries < 50 && (await timeOf('b.ts')) <= before; tries++) {
      if (tries > 0) await waitFor(50);
      await put('b.ts', 'y');
    }
    same((await files.glob({ pattern: '**/[ab].ts', maxFiles: 1 }, scope)).paths, await canonical('b.ts'));
  },
  'grep finds lines, files and counts': async ({ files, at, put, scope }) => {
    await put('a.txt', 'one\ntwo\nthree\n');
    await put('b.txt', 'two two\n');
    const grep = async (query: Partial<GrepQuery>) => (await files.grep({ ...plainQuery, ...query }, scope)).lines;
    const [first, second] = [await files.resolve(at('a.txt'), scope), await files.resolve(at('b.txt'), scope)];
    same(await grep({ pattern: 'two' }), [`${first}:2:two`, `${second}:1:two two`]);
    same(await grep({ pattern: 't.o', path: at('a.txt'), after: 1 }), [`${first}:2:two`, `${first}-3-three`]);
    same([...(await grep({ pattern: 'TWO', ignoreCase: true, mode: 'files_with_matches' }))].sort(), [first, second]);
    same(await grep({ pattern: 'two', mode: 'count', glob: 'a*' }), [`${first}:1`]);
    same(await grep({ pattern: 'nothing' }), []);
    same(await grep({ pattern: 'TWO' }), []);
    same(await grep({ pattern: 'three', before: 1 }), [`${first}-2-two`, `${first}:3:three`]);
    same(await grep({ pattern: 'thr', onlyMatching: true, lineNumbers: false }), [`${first}:thr`]);
    same((await grep({ pattern: '.', limit: 2 })).length, 2);
    await refuses(files.grep({ ...plainQuery, pattern: '((' }, scope), 'invalid_input');
    await refuses(files.grep({ ...plainQuery, pattern: 'x', path: at('none') }, scope), 'file_not_found');
  },
  'searches leave out files that .gitignore excludes, unless the search names the file or its folder': async ({
    files,
    at,
    put,
    scope,
  }) => {
    await put('.gitignore', '# made by programs\nout/\n*.log\n/top.txt\n');
    await put('sub/.gitignore', '!kept.log\nlocal.*\n');
    const hidden = ['out/a.txt', 'b.log', 'top.txt', 'sub/c.log', 'sub/local.txt'];
    hidden.push('sub/deep/local.md', 'sub/out/d.txt');
    const shown = ['sub/deep/top.txt', 'sub/kept.log', 'z.txt'];
    for (const name of [...hidden, ...shown]) await put(name, 'x\n');
    const root = await files.resolve(files.root, scope);
    const named = (paths: readonly string[]) => paths.map((path) => path.slice(root.length + 1)).sort();
    const glob = async (pattern: string, path?: string) =>
      named((await files.glob({ pattern, path, maxFiles: 50 }, scope)).paths);
    const grep = async (path?: string) =>
      named((await files.grep({ ...plainQuery, pattern: '^x$', mode: 'files_with_matches', path }, scope)).lines);
    same(await glob('**/[a-z]*.*'), shown);
    same(await grep(), shown);
    same(await glob('**/[a-z]*.*', at('sub')), shown.slice(0, 2));
    same(await grep(at('sub')), shown.slice(0, 2));
    same(await glob('out/*'), ['out/a.txt']);
    same(await grep(at('out')), ['out/a.txt']);
    same(await grep(at('b.log')), ['b.log']);
  },
  'with relativeTo, patterns are relative to that folder, which may be above the searched folder': async ({
    files,
    put,
    scope,
  }) => {
    for (const name of ['t.md', 'sub/a.md', 'sub/deep/b.txt']) await put(name, 'x');
    const root = await files.resolve(files.root, scope);
    const own = posix.basename(root);
    const relativeTo = posix.dirname(root);
    for (const [pattern, names] of patternsAbove(own)) {
      const { paths } = await files.glob({ pattern, path: root, relativeTo, maxFiles: 10 }, scope);
      same([pattern, ...paths.map((path) => path.slice(root.length + 1)).sort()], [pattern, ...names]);
    }
    for (const [glob, names] of globsAbove(own)) {
      const query = { ...plainQuery, pattern: 'x', mode: 'files_with_matches', path: root, relativeTo, glob } as const;
      const { lines } = await files.grep(query, scope);
      same([glob, ...lines.map((path) => path.slice(root.length + 1)).sort()], [glob, ...names]);
    }
  },
  'an impossible search is an error, not an empty result': async ({ files, put, scope }) => {
    await put('a.txt', 'x');
    for (const query of [{ glob: '[' }, { glob: '\0' }, { type: 'zzz' }])
      await refuses(files.grep({ ...plainQuery, pattern: 'x', ...query }, scope), 'invalid_input');
    for (const pattern of ['(?=x)', 'a\\nb', '\\x00', 'x'.repeat(200_000)])
      await refuses(files.grep({ ...plainQuery, pattern }, scope), 'invalid_input');
    for (const pattern of ['', '*\0', '*'.repeat(100_000), '{a,b}'.repeat(20)]) {
      await refuses(files.glob({ pattern, maxFiles: 1 }, scope), 'invalid_input');
    }
    for (const pattern of ['../*', '/no-such-root/*', '{a,../b}/*']) {
      await refuses(files.glob({ pattern, maxFiles: 1 }, scope), 'path_outside_root');
    }
  },
  'grep reports the right lines after characters of several bytes, and only a line feed ends a line': async ({
    files,
    at,
    put,
    scope,
  }) => {
    await put('a.txt', '# \u{1f680} T\u2028\r\n\r\nx \u{1f389}\r\n');
    const lines = async (pattern: string, multiline = false) =>
      (await files.grep({ ...plainQuery, pattern, multiline, path: at('a.txt') }, scope)).lines.map((line) =>
        line.split(':').at(-2),
      );
    same(await lines('^$'), []);
    same(await lines('^\\s*$'), ['2']);
    same(await lines('.\\r$'), ['1', '3']);
    same(await lines('T\u2028\\s+x', true), ['1', '2', '3']);
  },
});

/** Patterns relative to the parent of the folder `own`, each with the files of `own` that the pattern matches. */
function patternsAbove(own: string): readonly (readonly [pattern: string, names: readonly string[]])[] {
  const all = ['sub/a.md', 'sub/deep/b.txt', 't.md'];
  return [
    [`${own}/*.md`, ['t.md']],
    [`${own}/**`, all],
    ['*/*.md', ['t.md']],
    [`**/${own}/**`, all],
    ['**/sub/*', ['sub/a.md']],
    [`{${own},other}/sub/**/*.txt`, ['sub/deep/b.txt']],
    [`${own}/sub/a.md`, ['sub/a.md']],
    ['*.md', []],
    ['t.md', []],
    ['other/**', []],
  ];
}

function globsAbove(own: string): readonly (readonly [glob: string, names: readonly string[]])[] {
  const all = ['sub/a.md', 'sub/deep/b.txt', 't.md'];
  return [
    [`${own}/**`, all],
    [`/${own}/*.md`, ['t.md']],
    [`${own}/sub/*`, ['sub/a.md']],
    ['*.md', ['sub/a.md', 't.md']],
    ['/t.md', []],
    [`!${own}/sub/**`, ['t.md']],
    [`!${own}`, []],
    [`!${own}/**`, []],
    ['!*.md', ['sub/deep/b.txt']],
  ];
}
