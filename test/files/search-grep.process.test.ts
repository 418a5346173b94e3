import { chmodSync, closeSync, openSync, symlinkSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { memoryFiles } from 'toolwright/testing';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemTimers, type Timers } from '../../src/core/support/timers.js';
import { SearchEngines } from '../../src/files/search/engines.js';
import type { GrepQuery } from '../../src/index.js';
import { callScope } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { grepQuery, linkedRepositories, searchedFolder } from '../support/search.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const shared = { ripgrep: new SearchEngines(), javascript: new SearchEngines({ ripgrep: false }) };
afterAll(async () => {
  await shared.ripgrep.dispose();
  await shared.javascript.dispose();
});

const tree = {
  'a.txt': 'one foo\ntwo\nthree foo\nfour\nfive\nsix\nseven foo\n',
  'b/c.ts': 'const foo = 1;\n',
  'b/d.js': 'foo();\n',
  '.hidden': 'foo\n',
  '.git/config': 'foo\n',
  '.gitignore': 'ignored/\n*.log\n',
  'ignored/x.txt': 'foo\n',
  'b/e.log': 'foo\n',
  'z.md': 'nothing here\n',
};

describe.each(['ripgrep', 'javascript'] as const)('searching with %s', (engine) => {
  const folderOf = (files: Readonly<Record<string, string | Uint8Array>> = tree, options = {}) =>
    searchedFolder(files, { engines: shared[engine], ...options });

  test('names the engine', async () => expect((await folderOf().grep({ pattern: 'foo' })).engine).toBe(engine));

  test('returns matching lines as path:line:text, sorted by path, without ignored files and .git', async () => {
    const folder = folderOf();
    expect((await folder.grep({ pattern: 'foo' })).lines).toEqual([
      `${folder.at('.hidden')}:1:foo`,
      `${folder.at('a.txt')}:1:one foo`,
      `${folder.at('a.txt')}:3:three foo`,
      `${folder.at('a.txt')}:7:seven foo`,
      `${folder.at('b/c.ts')}:1:const foo = 1;`,
      `${folder.at('b/d.js')}:1:foo();`,
    ]);
  });

  test('omits files of info/exclude, also in a search from a subfolder', async () => {
    const folder = folderOf({
      '.git/info/exclude': 'own/\n*.tmp\n',
      'own/a.ts': 'foo\n',
      'b/a.tmp': 'foo\n',
      'b/a.ts': 'foo\n',
      'b/inner/.git/info/exclude': '*.ts\n',
      'b/inner/a.ts': 'foo\n',
    });
    for (const path of [undefined, folder.at('b')])
      expect((await folder.grep({ pattern: 'foo', path })).lines).toEqual([`${folder.at('b/a.ts')}:1:foo`]);
  });

  test('ends the rules of a repository at a nested one, which they may ignore as a whole', async () => {
    const folder = folderOf({
      '.git/info/exclude': '*.tmp\n',
      '.gitignore': '*.log\n/hidden/\n',
      'a.log': 'foo\n',
      'inner/.git/info/exclude': '*.md\n',
      'inner/.gitignore': '*.bak\n',
      'inner/b/a.log': 'foo\n',
      'inner/b/a.tmp': 'foo\n',
      'inner/b/a.md': 'foo\n',
      'inner/b/a.bak': 'foo\n',
      'linked/.git': 'gitdir: ../.git/modules/linked\n',
      'linked/a.log': 'foo\n',
      'hidden/.git/HEAD': '',
      'hidden/a.ts': 'foo\n',
    });
    const seen = ['inner/b/a.log', 'inner/b/a.tmp', 'linked/a.log'].map((path) => folder.at(path));
    const found = await folder.grep({ pattern: 'foo', mode: 'files_with_matches' });
    expect([...found.lines].sort()).toEqual(seen);
    const inner = await folder.grep({ pattern: 'foo', mode: 'files_with_matches', path: folder.at('inner/b') });
    expect([...inner.lines].sort()).toEqual(seen.slice(0, 2));
  });

  test('omits files of info/exclude behind a .git file', () =>
    eachRow(linkedRepositories, async ([, files]) => {
      const folder = folderOf(files);
      for (const path of ['tree', 'tree/sub'])
        expect(
          (await folder.grep({ pattern: 'foo', mode: 'files_with_matches', path: folder.at(path) })).lines,
        ).toEqual(path === 'tree' ? [folder.at('tree/seen.txt')] : []);
    }));

  test('omits line numbers on request', async () => {
    const folder = folderOf();
    const { lines } = await folder.grep({ pattern: 'const', lineNumbers: false });
    expect(lines).toEqual([`${folder.at('b/c.ts')}:const foo = 1;`]);
  });

  test('returns context as path-line-text with -- between groups, in a file and between files', async () => {
    const folder = folderOf();
    const { lines } = await folder.grep({ pattern: 'foo', before: 1, after: 1, glob: '*.{txt,js}' });
    const a = folder.at('a.txt');
    expect(lines).toEqual([
      `${a}:1:one foo`,
      `${a}-2-two`,
      `${a}:3:three foo`,
      `${a}-4-four`,
      '--',
      `${a}-6-six`,
      `${a}:7:seven foo`,
      '--',
      `${folder.at('b/d.js')}:1:foo();`,
    ]);
  });

  test('counts as path:count', async () => {
    const folder = folderOf();
    const { lines } = await folder.grep({ pattern: 'foo', mode: 'count', glob: '*.txt' });
    expect(lines).toEqual([`${folder.at('a.txt')}:3`]);
  });

  test('returns files newest first, then by path', async () => {
    const folder = folderOf();
    for (const [path, seconds] of [
      ['a.txt', 300],
      ['b/c.ts', 100],
      ['b/d.js', 200],
      ['.hidden', 200],
    ] as const) {
      utimesSync(folder.at(path), seconds, seconds);
    }
    const { lines, total } = await folder.grep({ pattern: 'foo', mode: 'files_with_matches' });
    expect(lines).toEqual(['a.txt', '.hidden', 'b/d.js', 'b/c.ts'].map(folder.at));
    expect(total).toBe(4);
  });

  test('returns pages of files and lines without gaps or repeats', async () => {
    const files = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`f${index}.txt`, 'foo\n'.repeat(7)]));
    const folder = folderOf(files);
    for (const mode of ['content', 'files_with_matches', 'count'] as const) {
      const whole = await folder.grep({ pattern: 'foo', mode });
      const pages: string[] = [];
      for (let offset = 0; offset < whole.lines.length; offset += 10) {
        const page = await folder.grep({ pattern: 'foo', mode, limit: 10, offset });
        expect(page.truncated).toBe(offset + 10 < whole.lines.length);
        pages.push(...page.lines);
      }
      expect(pages).toEqual(whole.lines);
    }
  });

  test('reports a cut first page, and keeps lines of one file together', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}.txt`, 'foo\n'.repeat(9)]));
    const { lines, truncated } = await folderOf(files).grep({ pattern: 'foo', limit: 50 });
    expect({ count: lines.length, truncated }).toEqual({ count: 50, truncated: true });
    const paths = lines.map((line) => line.slice(0, line.indexOf(':')));
    const changes = paths.filter((path, index) => path !== paths[index - 1]);
    expect(new Set(changes).size).toBe(changes.length);
  });

  test('does not treat a byte order mark as text, for a first line of any length', async () => {
    const folder = searchedFolder({ 'a.txt': `\ufefffoo${'x'.repeat(1_500_000)}\nbar\n` }, { engines: shared[engine] });
    expect((await folder.grep({ pattern: '^foo', mode: 'files_with_matches' })).lines).toEqual([folder.at('a.txt')]);
  });

  test('searches a named path that is ignored or hidden', async () => {
    const folder = folderOf({ ...tree, '.gitignore': 'ignored/*\n*.log\n' });
    expect((await folder.grep({ pattern: 'foo', path: folder.at('ignored') })).lines).toHaveLength(1);
    expect((await folder.grep({ pattern: 'foo', path: folder.at('b/e.log') })).lines).toEqual([
      `${folder.at('b/e.log')}:1:foo`,
    ]);
    expect((await folder.grep({ pattern: 'foo', path: folder.at('.git') })).lines).toHaveLength(1);
    expect((await folder.grep({ pattern: 'foo', glob: '*.log' })).lines).toEqual([`${folder.at('b/e.log')}:1:foo`]);
  });

  test('applies a file type, and a glob relative to the searched folder', async () => {
    const folder = folderOf();
    expect((await folder.grep({ pattern: 'foo', type: 'ts', mode: 'files_with_matches' })).lines).toEqual([
      folder.at('b/c.ts'),
    ]);
    expect(
      (await folder.grep({ pattern: 'foo', path: folder.at('b'), glob: '/c.*', mode: 'files_with_matches' })).lines,
    ).toEqual([folder.at('b/c.ts')]);
  });

  test('omits files that must stay hidden in all modes, also if named', async () => {
    const folder = folderOf(tree, { isHidden: (path: string) => path.endsWith('a.txt') });
    for (const mode of ['content', 'files_with_matches', 'count'] as const) {
      expect((await folder.grep({ pattern: 'foo', mode })).lines.join()).not.toContain('a.txt');
    }
    expect((await folder.grep({ pattern: 'foo', path: folder.at('a.txt') })).lines).toEqual([]);
  });

  test('cuts long lines and gives their length', async () => {
    const folder = folderOf({ 'a.txt': `${'é'.repeat(3_000)}\n` }, { limits: { maxLineChars: 100 } });
    const { lines } = await folder.grep({ pattern: 'é' });
    expect(lines).toEqual([`${folder.at('a.txt')}:1:${'é'.repeat(100)} [cut; 6000 bytes in all]`]);
  });

  test('keeps its memory limit for an endless line and for endless matches', async () => {
    const folder = folderOf(
      { 'a.txt': 'x'.repeat(6_000_000), 'b.txt': 'x y\n'.repeat(200_000) },
      { limits: { maxResultBytes: 1_000_000 } },
    );
    const { lines, truncated } = await folder.grep({ pattern: 'x' });
    expect(truncated).toBe(true);
    expect(lines.join('\n').length).toBeLessThan(1_100_000);
  });

  test('shows invalid bytes as U+FFFD and does not match them as characters', async () => {
    const folder = folderOf({ 'a.txt': Buffer.from('a\xffb\na b\n', 'latin1') });
    expect((await folder.grep({ pattern: 'a' })).lines).toEqual([
      `${folder.at('a.txt')}:1:a\ufffdb`,
      `${folder.at('a.txt')}:2:a b`,
    ]);
    expect((await folder.grep({ pattern: 'a.b' })).lines).toEqual([`${folder.at('a.txt')}:2:a b`]);
  });

  const places: readonly (readonly [pattern: string, lines: readonly number[], matches: number])[] = [
    ['^$', [], 0],
    ['^\\s*$', [2], 1],
    ['^', [1, 2, 3], 3],
    ['$', [1, 2, 3], 3],
    ['\\r$', [1, 2, 3], 3],
    ['^\\W*$', [2, 3], 2],
    ['(?:^|y)🎉', [], 0],
    ['\\B$', [1, 2, 3], 3],
  ];
  test('does not match a line end inside a character', () =>
    eachRow(places, async ([pattern, lines, matches]) => {
      const folder = folderOf({ 'a.txt': '# 🚀🚀\u2028 T\r\n\r\n👩🏽 🎉\r\n' });
      const found = await folder.grep({ pattern });
      expect(found.lines.map((line) => Number(line.split(':')[1]))).toEqual(lines);
      const counted = await folder.grep({ pattern, mode: 'count' });
      expect(counted.lines.map((line) => Number(line.split(':')[1]))).toEqual(matches === 0 ? [] : [matches]);
    }));

  const extended = ['(?x)f o o # c', '(?xi)F o o#', '(?ix-s)f#oo\no o', '(?x)foo', '(?x)a(?-x)#|foo', '(?x) foo \\#?'];
  test('ignores blanks and comments in extended patterns', () =>
    eachRow(extended, async (pattern) => {
      const folder = folderOf({ 'a.txt': 'foo\nbar\n' });
      const search = folder.grep({ pattern }).then(({ lines }) => lines);
      if (engine === 'javascript')
        await expect(search).rejects.toThrow(/this pattern needs ripgrep: .*@vscode\/ripgrep/s);
      else expect(await search).toEqual([`${folder.at('a.txt')}:1:foo`]);
    }));

  test('omits binary files, and reports only that a named one matches', async () => {
    const folder = folderOf({ 'a.bin': Buffer.from('y\n\0y\n'), 'b.txt': 'y\n' });
    expect((await folder.grep({ pattern: 'y' })).lines).toEqual([`${folder.at('b.txt')}:1:y`]);
    expect((await folder.grep({ pattern: 'y', path: folder.at('a.bin') })).lines).toEqual([
      `${folder.at('a.bin')}: binary file matches (found "\\0" byte around offset 2)`,
    ]);
    expect((await folder.grep({ pattern: 'y', path: folder.at('a.bin'), before: 1, after: 2 })).lines).toHaveLength(1);
    expect((await folder.grep({ pattern: 'z', path: folder.at('a.bin'), before: 1 })).lines).toEqual([]);
  });

  test('treats a file with a zero byte near its beginning as binary for any match', async () => {
    const folder = folderOf({ 'near.txt': 'foo\nbar\n\0\n', 'a.txt': 'foo\nbar\n' });
    for (const pattern of ['^foo', 'foo$', 'foo\\nbar']) {
      const { lines } = await folder.grep({ pattern, multiline: true, mode: 'files_with_matches' });
      expect(lines).toEqual([folder.at('a.txt')]);
    }
  });

  test('never follows a link to a file or folder outside the roots or in a cycle', async () => {
    const folder = folderOf();
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret.txt'), 'foo OUTSIDE\n');
    symlinkSync(outside, folder.at('k'));
    symlinkSync(join(outside, 'secret.txt'), folder.at('s.txt'));
    symlinkSync('..', folder.at('b/loop'));
    symlinkSync('nowhere', folder.at('dangling'));
    expect((await folder.grep({ pattern: 'foo' })).lines.join()).not.toContain('OUTSIDE');
    await expect(folder.grep({ pattern: 'foo', path: outside })).rejects.toMatchObject({ code: 'path_outside_root' });
  });

  test('treats nothing in a query as a flag', async () => {
    const folder = folderOf({ 'a.txt': '--files\n-e\n--pre=touch PWNED\n', '-n': '--files\n' });
    expect((await folder.grep({ pattern: '--files' })).lines).toEqual([
      `${folder.at('-n')}:1:--files`,
      `${folder.at('a.txt')}:1:--files`,
    ]);
    expect((await folder.grep({ pattern: '-e' })).lines).toEqual([`${folder.at('a.txt')}:2:-e`]);
    expect((await folder.grep({ pattern: '--pre=touch PWNED', glob: '--pre' })).lines).toEqual([]);
    await expect(folder.grep({ pattern: 'x', type: '--pre' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('reads names with spaces, brackets, line breaks and colons', async () => {
    const names = ['a b.txt', '[x].txt', 'a:1:b.txt', 'a\nb.txt', '--', 'ü/é.txt'];
    const folder = folderOf(Object.fromEntries(names.map((name) => [name, 'foo\nbar\n'])));
    const { lines } = await folder.grep({ pattern: 'foo', after: 1 });
    expect(lines.filter((line) => line !== '--').sort()).toEqual(
      names.flatMap((name) => [`${folder.at(name)}:1:foo`, `${folder.at(name)}-2-bar`]).sort(),
    );
    expect((await folder.grep({ pattern: 'foo', mode: 'count' })).lines).toEqual(
      names.map((name) => `${folder.at(name)}:1`).sort(),
    );
  });

  const refused: readonly (readonly [pattern: string, words: RegExp])[] = [
    ['(b', /unclosed group|missing closing \)/],
    ['((', /unclosed group|missing closing \)/],
    ['[b', /unclosed character class|missing closing \]/],
    ['x{3,1}', /start must be <= the end/],
    ['(?=x)', /look-around.* not supported/],
    ['(x)\\1', /backreferences are not supported/],
    ['*x', /missing (?:expression|argument)/],
    ['interface{}', /repetition quantifier expects a valid decimal/],
    ['a\\nb', /not allowed/],
    ['a{1000}{1000}{1000}', /exceeds size limit|needs ripgrep/],
  ];
  test('rejects invalid patterns with the reason', () =>
    eachRow(refused, async ([pattern, words]) => {
      const failure = await folderOf({ 'a.txt': 'x\n' })
        .grep({ pattern })
        .catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(words) });
    }));

  const noFlags: readonly (readonly [pattern: string, next: RegExp])[] = [
    ['(?=b)', /without look-around/],
    ['(?<!b)c', /without look-around/],
    ['(b)\\1', /without backreferences/],
    ['a\\nb', /multiline/],
    ['a\nb', /multiline/],
    ['\\x00', /binary/],
    ['a\\0b', /\./],
    ['[\\x00-\\x00]', /binary/],
    ['\0', /binary/],
  ];
  test('suggests the fields to use instead of flags', () =>
    eachRow(noFlags, async ([pattern, next]) => {
      const failure = await folderOf({ 'a.txt': 'x\n' })
        .grep({ pattern })
        .catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(next) });
      expect(failure).toMatchObject({ message: expect.not.stringMatching(/--\w|Consider|\(or -/) });
    }));

  const oversized: readonly (readonly [what: string, query: Partial<GrepQuery>])[] = [
    ['a pattern of 200,000 characters', { pattern: 'x'.repeat(200_000) }],
    ['a pattern of 120,000 bytes', { pattern: 'é'.repeat(60_000) }],
    ['a glob of 200,000 characters', { glob: '*'.repeat(200_000) }],
    ['a type of 200,000 characters', { type: 'x'.repeat(200_000) }],
    ['a zero byte in the glob', { glob: '\0' }],
    ['a zero byte in the type', { type: 'ts\0' }],
  ];
  test('rejects sizes over the limit with the next step', () =>
    eachRow(oversized, async ([, query]) => {
      const failure = await folderOf({ 'a.txt': 'x\n' })
        .grep({ pattern: 'x', ...query })
        .catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(/^The (?:pattern|glob|type) .*; \w.*\.$/),
      });
    }));

  test('rejects an invalid glob and an unknown type', async () => {
    const folder = folderOf();
    await expect(folder.grep({ pattern: 'x', glob: '[a' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(folder.grep({ pattern: 'x', type: 'tsx2' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('unrecognized file type'),
    });
    const path = folder.at('a.txt');
    await expect(folder.grep({ pattern: 'foo', path, glob: '[a' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(folder.grep({ pattern: 'foo', path, type: 'tsx2' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  const named = ['a', 'b', 'c/a', 'x.ts', 'x/b', 'y.ts', '#y'];
  const globs: readonly (readonly [glob: string, shown: readonly string[]])[] = [
    ['{,x}*', ['x.ts']],
    ['{a,}', ['a', 'c/a']],
    ['{a,{},{b,}}', ['a', 'b', 'c/a', 'x/b']],
    ['{}', []],
    ['!{}', named],
    ['*.ts ', ['x.ts', 'y.ts']],
    ['x\\/', []],
    ['!x\\/', named.filter((name) => name !== 'x/b')],
    ['#y', named],
    ['\\#y', ['#y']],
    [' ', named],
  ];
  test('reads a glob like a line of an ignore file', () =>
    eachRow(globs, async ([glob, shown]) => {
      const folder = folderOf(Object.fromEntries(named.map((name) => [name, 'word\n'])));
      const { lines } = await folder.grep({ pattern: 'word', glob, mode: 'files_with_matches' });
      expect([...lines].sort()).toEqual(shown.map((name) => folder.at(name)).sort());
    }));

  test('is not affected by an invalid rule in an ignore file', () =>
    eachRow(['{a/lib', '[z-a]', 'a}b', '*.{ts', '[', 'x\\'], async (rule) => {
      const files = {
        '.gitignore': `${rule}\n*.log\n`,
        'a/b/c.txt': 'foo\n',
        'a/b/d.log': 'foo\n',
        'a/.gitignore': `${rule}\n*.tmp\n`,
        'a/e.tmp': 'foo\n',
      };
      const folder = folderOf(files);
      for (const path of [folder.root, folder.at('a'), folder.at('a/b')]) {
        const { lines } = await folder.grep({ pattern: 'foo', path });
        expect(lines).toEqual([`${folder.at('a/b/c.txt')}:1:foo`]);
        expect((await folder.grep({ pattern: 'none', path })).lines).toEqual([]);
        for (const glob of ['{a', "[: line 1: error parsing glob '"])
          await expect(folder.grep({ pattern: 'foo', path, glob })).rejects.toMatchObject({ code: 'invalid_input' });
      }
    }));

  test('ignores trailing blanks of a rule', async () => {
    const folder = folderOf({
      '.gitignore': '*.log\t\n/x \t\nkept\\ \n',
      'a.log': 'foo\n',
      x: 'foo\n',
      'kept ': 'foo\n',
      kept: 'foo\n',
    });
    expect((await folder.grep({ pattern: 'foo' })).lines).toEqual([`${folder.at('kept')}:1:foo`]);
  });

  test('limits a time limit that is longer than a timer allows', () =>
    eachRow([2 ** 31, 2 ** 40, Number.POSITIVE_INFINITY], async (timeoutMs) => {
      const folder = searchedFolder(tree, { engines: shared[engine], limits: { timeoutMs } });
      const { lines, timedOut } = await folder.grep({ pattern: 'foo' });
      expect({ count: lines.length, timedOut }).toEqual({ count: 6, timedOut: false });
    }));

  test('reports a missing path and a special file', async () => {
    const folder = folderOf();
    await expect(folder.grep({ pattern: 'x', path: folder.at('none') })).rejects.toMatchObject({
      code: 'file_not_found',
    });
    await expect(folder.grep({ pattern: 'a\0b' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('ends at once when aborted, before and during the search', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`d${index % 20}/f${index}.txt`, 'foo bar\n'.repeat(3_000)]),
    );
    const folder = folderOf(files);
    await expect(folder.grep({ pattern: 'foo' }, AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
    const controller = new AbortController();
    const search = folder.grep({ pattern: '(\\w+ )+nothing', offset: 0 }, controller.signal);
    setImmediate(() => controller.abort());
    await expect(search).rejects.toMatchObject({ code: 'interrupted' });
    expect((await folder.grep({ pattern: 'foo', limit: 1 })).lines).toHaveLength(1);
  });

  test('returns its partial results at the time limit, and says so', async () => {
    const timers = {
      ...systemTimers,
      set: (up: () => void, ms: number) =>
        ms === defaultLimits.grep.timeoutMs ? queueMicrotask(up) : systemTimers.set(up, ms),
    };
    const engines = new SearchEngines({ ...(engine === 'javascript' ? { ripgrep: false } : {}), timers });
    onTestFinished(() => engines.dispose());
    expect(await folderOf(tree, { engines }).grep({ pattern: 'foo' })).toMatchObject({ engine, timedOut: true });
  });
});

test('without ripgrep the text of a file ends at a late zero byte', async () => {
  const folder = searchedFolder(
    { 'far.txt': `${'foo\nbar\n'.repeat(10_000)}foo\0foo\nfoo\n` },
    { engines: shared.javascript },
  );
  for (const multiline of [false, true]) {
    expect((await folder.grep({ pattern: '^foo', multiline, limit: 90_000 })).lines).toHaveLength(10_000);
    const named = await folder.grep({ pattern: '^foo', multiline, path: folder.at('far.txt'), limit: 90_000 });
    expect(named.lines.at(-1)).toBe(
      `${folder.at('far.txt')}: binary file matches (found "\\0" byte around offset 80003)`,
    );
  }
});

const beyond: readonly (readonly [pattern: string, what: string])[] = [
  ['(?x) a', 'flags other than i, s and U'],
  ['a(?m)b', 'flags other than i, s and U'],
  ['[a-z&&b]', 'an operator in a class'],
  ['[a-z--b]', 'an operator in a class'],
  ['[a[b]]', 'a class within a class'],
  ['a**', 'syntax that re2 does not support: invalid nested repetition operator'],
  ['a{2}{3}', 'syntax that re2 does not support: invalid nested repetition operator'],
  ['a{1001}', 'syntax that re2 does not support: invalid repeat count'],
  ['(?:ab){900}(?:cd){900}(?:ef){900}', 'more than 5000 elements'],
  ['\\<a', '\\\\<'],
  ['\\b{start}a', '\\\\b{start}'],
  ['\\Aa', '\\\\A'],
  ['\\p{gc=Lu}', 'syntax that re2 does not support: invalid character class range'],
  ['\\p{greek}', 'syntax that re2 does not support: invalid character class range'],
];
test('without ripgrep unsupported patterns are rejected, and the error says how to get ripgrep', () =>
  eachRow(beyond, async ([pattern, what]) => {
    const folder = searchedFolder({ 'a.txt': 'x\n' }, { engines: shared.javascript });
    const search = folder.grep({ pattern });
    await expect(search).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(search).rejects.toThrow(new RegExp(`^this pattern needs ripgrep: it contains ${what}.*install`, 's'));
  }));

describe('an engine that fails is an error, never "no matches"', () => {
  const broken: readonly (readonly [what: string, script: string, words: RegExp])[] = [
    ['exits with 2 and says nothing', 'exit 2', /exit code 2/],
    ['is killed', 'kill -9 $$', /signal/],
    ['does not know its flags', 'echo "rg: unrecognized flag --null" >&2; exit 2', /unrecognized flag/],
    ['crashes', 'echo "thread panicked" >&2; exit 101', /panicked/],
    ['says nothing', 'exit 0', /printed nothing/],
    ['says nothing but to stderr', 'echo "some failure" >&2; exit 0', /some failure/],
    ['finds nothing and complains', 'echo "rg: some failure" >&2; exit 1', /some failure/],
    ['prints what is no match', 'echo hello', /hello/],
    ['prints what is no match and finds nothing', 'echo hello; exit 1', /hello/],
    ['prints no end of a line', 'printf "%s/a.txt\\0001:fo" "$PWD"', /not in the expected format/],
    ['prints no line number', 'printf "%s/a.txt\\000foo\\n" "$PWD"', /not in the expected format/],
    ['prints a path of another place', 'printf "/elsewhere/a.txt\\0001:foo\\n"', /elsewhere/],
    ['prints something before a match', 'printf "hello\\n%s/a.txt\\0001:foo\\n" "$PWD"', /hello/],
  ];
  test('ripgrep ends or prints unexpected output', () =>
    eachRow(broken, async ([, script, words]) => {
      const program = join(temporaryFolder(), 'rg');
      writeFileSync(program, `#!/bin/sh\n${script}\n`);
      chmodSync(program, 0o755);
      const search = searchedFolder(tree, { ripgrep: program }).grep({ pattern: 'foo' });
      await expect(search).rejects.toMatchObject({ code: 'execution_failed', message: expect.stringMatching(words) });
      await expect(search).rejects.toThrow(program);
    }));

  test('ripgrep prints unexpected output in another mode', () =>
    eachRow<[GrepQuery['mode'], string]>(
      [
        ['files_with_matches', 'printf "%s/a.txt" "$PWD"'],
        ['files_with_matches', 'echo hello'],
        ['count', 'printf "%s/a.txt\\000many\\n" "$PWD"'],
        ['count', 'printf "%s/a.txt\\000" "$PWD"'],
      ],
      async ([mode, script]) => {
        const program = join(temporaryFolder(), 'rg');
        writeFileSync(program, `#!/bin/sh\n${script}\n`);
        chmodSync(program, 0o755);
        const search = searchedFolder(tree, { ripgrep: program }).grep({ pattern: 'foo', mode });
        await expect(search).rejects.toMatchObject({ code: 'execution_failed' });
      },
    ));

  test('empty matches over several lines, which ripgrep does not print, are not an error', async () => {
    const folder = searchedFolder({ 'a.txt': 'a\n\nfoo\n' }, { engines: shared.ripgrep });
    for (const pattern of ['^', '$', '\\n', 'z*$']) {
      for (const before of [0, 1]) await folder.grep({ pattern, before, onlyMatching: true, multiline: true });
    }
    expect((await folder.grep({ pattern: '^$', multiline: true, before: 2 })).engine).toBe('ripgrep');
  });

  test('if ripgrep cannot start, the JavaScript engine is used', async () => {
    const program = join(temporaryFolder(), 'rg');
    writeFileSync(program, '#!/nowhere/interpreter\n');
    chmodSync(program, 0o755);
    const found = await searchedFolder(tree, { ripgrep: program }).grep({ pattern: 'foo' });
    expect({ engine: found.engine, count: found.lines.length }).toEqual({ engine: 'javascript', count: 6 });
  });

  test('after a failed start, the next search looks for ripgrep again', async () => {
    const program = join(temporaryFolder(), 'rg');
    writeFileSync(program, '');
    chmodSync(program, 0o755);
    const folder = searchedFolder(tree, { ripgrep: program });
    // A program that is being written cannot be started (ETXTBSY).
    const writer = openSync(program, 'r+');
    const first = await folder.grep({ pattern: 'foo' });
    writeSync(writer, '#!/bin/sh\nexit 1\n');
    closeSync(writer);
    const { engine } = await folder.grep({ pattern: 'foo' });
    expect([first.engine, first.lines.length, engine]).toEqual(['javascript', 6, 'ripgrep']);
  });

  const binary = { 'a.bin': 'zero\0\nfoo\n' };
  test('both runs of ripgrep for a binary file share one time limit', async () => {
    const program = join(temporaryFolder(), 'rg');
    writeFileSync(program, '#!/bin/sh\nexit 1\n');
    chmodSync(program, 0o755);
    const limits: number[] = [];
    const timers: Timers = {
      ...systemTimers,
      now: () => limits.length * 40_000,
      set: (up, ms) => systemTimers.set(up, limits.push(ms) && ms),
    };
    const engines = new SearchEngines({ ripgrep: program, timers });
    const folder = searchedFolder(binary, { engines, limits: { timeoutMs: 100_000 } });
    await folder.grep({ pattern: 'foo', before: 1, path: folder.at('a.bin') });
    expect(limits).toEqual([100_000, 60_000]);
  });

  test('if ripgrep cannot start for its second run, the JavaScript engine is used', async () => {
    const program = join(temporaryFolder(), 'rg');
    writeFileSync(program, '#!/bin/sh\nrm "$0"\nexit 1\n');
    chmodSync(program, 0o755);
    const folder = searchedFolder(binary, { ripgrep: program });
    const { engine, lines } = await folder.grep({ pattern: 'foo', before: 1, path: folder.at('a.bin') });
    expect(engine).toBe('javascript');
    expect(lines).toEqual([expect.stringContaining('a.bin: binary file matches')]);
  });

  test('messages of the allocator on an emulated machine are not an error', async () => {
    const program = join(temporaryFolder(), 'rg');
    writeFileSync(
      program,
      '#!/bin/sh\necho "<jemalloc>: MADV_DONTNEED does not work (memset will be used instead)" >&2\nexit 1\n',
    );
    chmodSync(program, 0o755);
    expect(await searchedFolder(tree, { ripgrep: program }).grep({ pattern: 'foo' })).toMatchObject({ lines: [] });
  });

  test('unreadable files are counted beside the matches', async () => {
    const program = join(temporaryFolder(), 'rg');
    writeFileSync(
      program,
      `#!/bin/sh\necho "rg: /x/y: Permission denied (os error 13)" >&2\necho "rg: /x/z: No such file or directory (os error 2)" >&2\nexit 2\n`,
    );
    chmodSync(program, 0o755);
    const found = await searchedFolder(tree, { ripgrep: program }).grep({ pattern: 'foo' });
    expect(found).toMatchObject({ lines: [], unreadable: 1 });
  });

  test('errors that fill several reads are all counted, and a reason behind them is told', async () => {
    const program = join(temporaryFolder(), 'rg');
    const many = 'for i in $(seq 5000); do echo "rg: /x/$i: Permission denied (os error 13)" >&2; done\n';
    writeFileSync(program, `#!/bin/sh\n${many}exit 2\n`);
    chmodSync(program, 0o755);
    const folder = searchedFolder(tree, { ripgrep: program });
    expect(await folder.grep({ pattern: 'foo' })).toMatchObject({ lines: [], unreadable: 5_000 });
    writeFileSync(program, `#!/bin/sh\n${many}echo "rg: some failure" >&2; exit 2\n`);
    await expect(folder.grep({ pattern: 'foo' })).rejects.toThrow('failed: some failure.');
  });
});

describe('patterns prone to ReDoS', () => {
  const slow = ['(b+)+$', '(b|b)*c', '(c+)+d', '(\\d+\\.?)*$', '(.*)*x', '^(([a-z])+.)+[A-Z]([a-z])+$'];
  const text = 'bbbb,1111,cccc,yyyy,aaaa,xxxx'
    .split(',')
    .map((part) => `${part.repeat(10)}!\n`)
    .join('');

  test('give the results of ripgrep in the JavaScript engine', () =>
    eachRow(slow, async (pattern) => {
      const [own, wanted] = [shared.javascript, shared.ripgrep].map((engines) =>
        searchedFolder({ 'a.txt': text }, { engines }),
      );
      const lines = async (folder = own) => (await folder?.grep({ pattern }))?.lines.map((line) => line.split(':')[1]);
      expect(await lines(own)).toEqual(await lines(wanted));
    }));

  const code = 'function a(b,c){return b+c;}var x="foo bar";';
  test('a line that is too long for a pattern affects only its file', () =>
    eachRow<[string, string, string]>(
      [
        ['a line and repeats', 'ab'.repeat(1_000_000), '(?:a|b){100}[=]'],
        ['a text that matches may cross', 'ab\n'.repeat(1_000_000), '(?:a|b){100}\\n[=]'],
      ],
      async ([, line, pattern]) => {
        const ok = `${'b'.repeat(100)}=\n${'b'.repeat(100)}\n=\n`;
        const files = { 'a.txt': ok, 'm.min.js': `${line}\n`, 'z.txt': ok };
        const query = { pattern, multiline: pattern.includes('n') };
        const folder = searchedFolder(files, { engines: shared.javascript });
        for (const mode of ['files_with_matches', 'content'] as const) {
          const { lines, unreadable } = await folder.grep({ ...query, mode });
          expect(new Set(lines.map((each) => each.slice(folder.root.length + 1).split(':')[0]))).toEqual(
            new Set(['a.txt', 'z.txt']),
          );
          expect(unreadable).toBe(1);
        }
        const memory = memoryFiles({ files });
        const found = await memory.grep(grepQuery({ ...query, mode: 'files_with_matches' }), callScope());
        expect([found.lines.length, found.unreadable]).toEqual([2, 1]);
      },
    ));

  test('a long line is searched if the pattern is fast', async () => {
    const long = `${code.repeat(2_000)}TODO`;
    const folder = searchedFolder({ 'a.js': `${long}\nTODO\n${long}\n` }, { engines: shared.javascript });
    expect(await folder.grep({ pattern: 'TODO', mode: 'count' })).toMatchObject({ lines: [`${folder.at('a.js')}:3`] });
    const { lines } = await folder.grep({ pattern: 'TOD(O)', onlyMatching: true });
    expect(lines).toEqual([1, 2, 3].map((line) => `${folder.at('a.js')}:${line}:TODO`));
  });

  test('a pattern that is nested too deep is rejected as a whole', async () => {
    const folder = searchedFolder({ 'a.txt': 'a\n' }, { engines: shared.javascript });
    for (const depth of [100, 1_000, 10_000, 100_000]) {
      const found = await folder
        .grep({ pattern: `${'('.repeat(depth)}a${')'.repeat(depth)}` })
        .catch(({ code }) => code);
      expect(found === 'invalid_input' || found.lines.length === 1).toBe(true);
    }
  });
});
