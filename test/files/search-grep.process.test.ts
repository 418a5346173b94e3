import { chmodSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { memoryFiles } from 'toolwright/testing';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemTimers } from '../../src/core/support/timer.js';
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

  test('gives matching lines as path:line:text, sorted by path, without what is ignored and .git', async () => {
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

  test('leaves out what a repository leaves out for itself, also from a folder within', async () => {
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

  test('the rules of a repository end where another one begins, which they may hide as a whole', async () => {
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

  test('leaves out what is said where a file .git points', () =>
    eachRow(linkedRepositories, async ([, files]) => {
      const folder = folderOf(files);
      for (const path of ['tree', 'tree/sub'])
        expect(
          (await folder.grep({ pattern: 'foo', mode: 'files_with_matches', path: folder.at(path) })).lines,
        ).toEqual(path === 'tree' ? [folder.at('tree/seen.txt')] : []);
    }));

  test('leaves line numbers out when they are not wanted', async () => {
    const folder = folderOf();
    const { lines } = await folder.grep({ pattern: 'const', lineNumbers: false });
    expect(lines).toEqual([`${folder.at('b/c.ts')}:const foo = 1;`]);
  });

  test('gives context as path-line-text with -- between groups, in a file and between files', async () => {
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

  test('gives files newest first, and of the same age by path', async () => {
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

  test('pages through files and lines without a gap or a repeat', async () => {
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

  test('says when a first page was cut, and keeps lines of one file together', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}.txt`, 'foo\n'.repeat(9)]));
    const { lines, truncated } = await folderOf(files).grep({ pattern: 'foo', limit: 50 });
    expect({ count: lines.length, truncated }).toEqual({ count: 50, truncated: true });
    const paths = lines.map((line) => line.slice(0, line.indexOf(':')));
    const changes = paths.filter((path, index) => path !== paths[index - 1]);
    expect(new Set(changes).size).toBe(changes.length);
  });

  test('takes a byte order mark for no text, however long the first line is', async () => {
    const folder = searchedFolder({ 'a.txt': `\ufefffoo${'x'.repeat(1_500_000)}\nbar\n` }, { engines: shared[engine] });
    expect((await folder.grep({ pattern: '^foo', mode: 'files_with_matches' })).lines).toEqual([folder.at('a.txt')]);
  });

  test('searches what is named, ignored, hidden or not', async () => {
    const folder = folderOf({ ...tree, '.gitignore': 'ignored/*\n*.log\n' });
    expect((await folder.grep({ pattern: 'foo', path: folder.at('ignored') })).lines).toHaveLength(1);
    expect((await folder.grep({ pattern: 'foo', path: folder.at('b/e.log') })).lines).toEqual([
      `${folder.at('b/e.log')}:1:foo`,
    ]);
    expect((await folder.grep({ pattern: 'foo', path: folder.at('.git') })).lines).toHaveLength(1);
    expect((await folder.grep({ pattern: 'foo', glob: '*.log' })).lines).toEqual([`${folder.at('b/e.log')}:1:foo`]);
  });

  test('keeps to a file type, and takes a glob from the searched folder', async () => {
    const folder = folderOf();
    expect((await folder.grep({ pattern: 'foo', type: 'ts', mode: 'files_with_matches' })).lines).toEqual([
      folder.at('b/c.ts'),
    ]);
    expect(
      (await folder.grep({ pattern: 'foo', path: folder.at('b'), glob: '/c.*', mode: 'files_with_matches' })).lines,
    ).toEqual([folder.at('b/c.ts')]);
  });

  test('leaves files out that are to stay hidden, whatever the mode, named or not', async () => {
    const folder = folderOf(tree, { isHidden: (path: string) => path.endsWith('a.txt') });
    for (const mode of ['content', 'files_with_matches', 'count'] as const) {
      expect((await folder.grep({ pattern: 'foo', mode })).lines.join()).not.toContain('a.txt');
    }
    expect((await folder.grep({ pattern: 'foo', path: folder.at('a.txt') })).lines).toEqual([]);
  });

  test('cuts long lines and says how long they are', async () => {
    const folder = folderOf({ 'a.txt': `${'é'.repeat(3_000)}\n` }, { limits: { maxLineChars: 100 } });
    const { lines } = await folder.grep({ pattern: 'é' });
    expect(lines).toEqual([`${folder.at('a.txt')}:1:${'é'.repeat(100)} [cut; 6000 bytes in all]`]);
  });

  test('stays within its memory on one endless line and on endless matches', async () => {
    const folder = folderOf(
      { 'a.txt': 'x'.repeat(6_000_000), 'b.txt': 'x y\n'.repeat(200_000) },
      { limits: { maxResultBytes: 1_000_000 } },
    );
    const { lines, truncated } = await folder.grep({ pattern: 'x' });
    expect(truncated).toBe(true);
    expect(lines.join('\n').length).toBeLessThan(1_100_000);
  });

  test('shows bytes that are no UTF-8 as U+FFFD and does not take them for characters', async () => {
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
  test('takes no place inside a character for an end of a line', () =>
    eachRow(places, async ([pattern, lines, matches]) => {
      const folder = folderOf({ 'a.txt': '# 🚀🚀\u2028 T\r\n\r\n👩🏽 🎉\r\n' });
      const found = await folder.grep({ pattern });
      expect(found.lines.map((line) => Number(line.split(':')[1]))).toEqual(lines);
      const counted = await folder.grep({ pattern, mode: 'count' });
      expect(counted.lines.map((line) => Number(line.split(':')[1]))).toEqual(matches === 0 ? [] : [matches]);
    }));

  const extended = ['(?x)f o o # c', '(?xi)F o o#', '(?ix-s)f#oo\no o', '(?x)foo', '(?x)a(?-x)#|foo', '(?x) foo \\#?'];
  test('reads blanks and comments where the pattern allows them', () =>
    eachRow(extended, async (pattern) => {
      const folder = folderOf({ 'a.txt': 'foo\nbar\n' });
      const search = folder.grep({ pattern }).then(({ lines }) => lines);
      if (engine === 'javascript')
        await expect(search).rejects.toThrow(/this pattern needs ripgrep: .*@vscode\/ripgrep/s);
      else expect(await search).toEqual([`${folder.at('a.txt')}:1:foo`]);
    }));

  test('leaves binary files out, and only says of a named one that it matches', async () => {
    const folder = folderOf({ 'a.bin': Buffer.from('y\n\0y\n'), 'b.txt': 'y\n' });
    expect((await folder.grep({ pattern: 'y' })).lines).toEqual([`${folder.at('b.txt')}:1:y`]);
    expect((await folder.grep({ pattern: 'y', path: folder.at('a.bin') })).lines).toEqual([
      `${folder.at('a.bin')}: binary file matches (found "\\0" byte around offset 2)`,
    ]);
    expect((await folder.grep({ pattern: 'y', path: folder.at('a.bin'), before: 1, after: 2 })).lines).toHaveLength(1);
    expect((await folder.grep({ pattern: 'z', path: folder.at('a.bin'), before: 1 })).lines).toEqual([]);
  });

  test('takes a file with a zero byte near its beginning for binary, whatever a match may hold', async () => {
    const folder = folderOf({ 'near.txt': 'foo\nbar\n\0\n', 'a.txt': 'foo\nbar\n' });
    for (const pattern of ['^foo', 'foo$', 'foo\\nbar']) {
      const { lines } = await folder.grep({ pattern, multiline: true, mode: 'files_with_matches' });
      expect(lines).toEqual([folder.at('a.txt')]);
    }
  });

  test('never follows a link, to a file or a folder, out of the roots or in a circle', async () => {
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

  test('takes nothing in a query for a flag', async () => {
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
  test('refuses broken patterns and says why', () =>
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
  test('says what to do with the fields there are instead', () =>
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
  test('refuses what is too large and says what to do', () =>
    eachRow(oversized, async ([, query]) => {
      const failure = await folderOf({ 'a.txt': 'x\n' })
        .grep({ pattern: 'x', ...query })
        .catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(/^The (?:pattern|glob|type) .*; \w.*\.$/),
      });
    }));

  test('refuses a broken glob and an unknown type', async () => {
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
  test('reads a glob as a line of an ignore file', () =>
    eachRow(globs, async ([glob, shown]) => {
      const folder = folderOf(Object.fromEntries(named.map((name) => [name, 'word\n'])));
      const { lines } = await folder.grep({ pattern: 'word', glob, mode: 'files_with_matches' });
      expect([...lines].sort()).toEqual(shown.map((name) => folder.at(name)).sort());
    }));

  test('a broken rule in an ignore file spoils no search below it', () =>
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

  test('blanks behind a rule are no part of it', async () => {
    const folder = folderOf({
      '.gitignore': '*.log\t\n/x \t\nkept\\ \n',
      'a.log': 'foo\n',
      x: 'foo\n',
      'kept ': 'foo\n',
      kept: 'foo\n',
    });
    expect((await folder.grep({ pattern: 'foo' })).lines).toEqual([`${folder.at('kept')}:1:foo`]);
  });

  test('takes a time limit longer than a timer can be for a long one', () =>
    eachRow([2 ** 31, 2 ** 40, Number.POSITIVE_INFINITY], async (timeoutMs) => {
      const folder = searchedFolder(tree, { engines: shared[engine], limits: { timeoutMs } });
      const { lines, timedOut } = await folder.grep({ pattern: 'foo' });
      expect({ count: lines.length, timedOut }).toEqual({ count: 6, timedOut: false });
    }));

  test('answers for a path that is not there or no file', async () => {
    const folder = folderOf();
    await expect(folder.grep({ pattern: 'x', path: folder.at('none') })).rejects.toMatchObject({
      code: 'file_not_found',
    });
    await expect(folder.grep({ pattern: 'a\0b' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('ends at once when it is aborted, before and while it runs', async () => {
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

  test('gives what it has when the time is up, and says so', async () => {
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

test('without ripgrep the text of a file ends at a zero byte far behind its beginning', async () => {
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
test('without ripgrep patterns beyond it are refused, with the way to get it', () =>
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
  test('ripgrep that ends or answers otherwise', () =>
    eachRow(broken, async ([, script, words]) => {
      const program = join(temporaryFolder(), 'rg');
      writeFileSync(program, `#!/bin/sh\n${script}\n`);
      chmodSync(program, 0o755);
      const search = searchedFolder(tree, { ripgrep: program }).grep({ pattern: 'foo' });
      await expect(search).rejects.toMatchObject({ code: 'execution_failed', message: expect.stringMatching(words) });
      await expect(search).rejects.toThrow(program);
    }));

  test('ripgrep that answers otherwise in another mode', () =>
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

  test('matches of nothing over several lines, of which ripgrep prints none, are no failure', async () => {
    const folder = searchedFolder({ 'a.txt': 'a\n\nfoo\n' }, { engines: shared.ripgrep });
    for (const pattern of ['^', '$', '\\n', 'z*$']) {
      for (const before of [0, 1]) await folder.grep({ pattern, before, onlyMatching: true, multiline: true });
    }
    expect((await folder.grep({ pattern: '^$', multiline: true, before: 2 })).engine).toBe('ripgrep');
  });

  test('a ripgrep that cannot be started gives way to the JavaScript engine', async () => {
    const program = join(temporaryFolder(), 'rg');
    writeFileSync(program, '#!/nowhere/interpreter\n');
    chmodSync(program, 0o755);
    const found = await searchedFolder(tree, { ripgrep: program }).grep({ pattern: 'foo' });
    expect({ engine: found.engine, count: found.lines.length }).toEqual({ engine: 'javascript', count: 6 });
  });

  test('what its memory allocator says on an emulated machine is no failure', async () => {
    const program = join(temporaryFolder(), 'rg');
    writeFileSync(
      program,
      '#!/bin/sh\necho "<jemalloc>: MADV_DONTNEED does not work (memset will be used instead)" >&2\nexit 1\n',
    );
    chmodSync(program, 0o755);
    expect(await searchedFolder(tree, { ripgrep: program }).grep({ pattern: 'foo' })).toMatchObject({ lines: [] });
  });

  test('files that cannot be read are counted beside the matches', async () => {
    const program = join(temporaryFolder(), 'rg');
    writeFileSync(
      program,
      `#!/bin/sh\necho "rg: /x/y: Permission denied (os error 13)" >&2\necho "rg: /x/z: No such file or directory (os error 2)" >&2\nexit 2\n`,
    );
    chmodSync(program, 0o755);
    const found = await searchedFolder(tree, { ripgrep: program }).grep({ pattern: 'foo' });
    expect(found).toMatchObject({ lines: [], unreadable: 1 });
  });
});

describe('patterns that backtrack without end elsewhere', () => {
  const slow = ['(b+)+$', '(b|b)*c', '(c+)+d', '(\\d+\\.?)*$', '(.*)*x', '^(([a-z])+.)+[A-Z]([a-z])+$'];
  const text = 'bbbb,1111,cccc,yyyy,aaaa,xxxx'
    .split(',')
    .map((part) => `${part.repeat(10)}!\n`)
    .join('');

  test('give what ripgrep gives in the JavaScript engine', () =>
    eachRow(slow, async (pattern) => {
      const [own, wanted] = [shared.javascript, shared.ripgrep].map((engines) =>
        searchedFolder({ 'a.txt': text }, { engines }),
      );
      const lines = async (folder = own) => (await folder?.grep({ pattern }))?.lines.map((line) => line.split(':')[1]);
      expect(await lines(own)).toEqual(await lines(wanted));
    }));

  const code = 'function a(b,c){return b+c;}var x="foo bar";';
  test('a line that is too long for a pattern is the fault of its file alone', () =>
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

  test('a long line is searched like any other where the pattern is quick', async () => {
    const long = `${code.repeat(2_000)}TODO`;
    const folder = searchedFolder({ 'a.js': `${long}\nTODO\n${long}\n` }, { engines: shared.javascript });
    expect(await folder.grep({ pattern: 'TODO', mode: 'count' })).toMatchObject({ lines: [`${folder.at('a.js')}:3`] });
    const { lines } = await folder.grep({ pattern: 'TOD(O)', onlyMatching: true });
    expect(lines).toEqual([1, 2, 3].map((line) => `${folder.at('a.js')}:${line}:TODO`));
  });

  test('a pattern that is nested too deep is refused, and not the files', async () => {
    const folder = searchedFolder({ 'a.txt': 'a\n' }, { engines: shared.javascript });
    for (const depth of [100, 1_000, 10_000, 100_000]) {
      const found = await folder
        .grep({ pattern: `${'('.repeat(depth)}a${')'.repeat(depth)}` })
        .catch(({ code }) => code);
      expect(found === 'invalid_input' || found.lines.length === 1).toBe(true);
    }
  });
});
