import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SearchEngines } from '../../src/files/search/engines.js';
import { eachRow, samples, table } from '../support/each-row.js';
import { linkedRepositories, searchedFolder } from '../support/search.js';

const engines = new SearchEngines();
afterAll(() => engines.dispose());

const tree = {
  'src/a.ts': '',
  'src/b/c.ts': '',
  'src/b/d.js': '',
  'app/[id]/page.ts': '',
  'app/i/page.ts': '',
  'we ird (1)/k.ts': '',
  '.env': '',
  '.hid/z.md': '',
  '.git/config': '',
  'dist/x.js': '',
  'dist/sub/y.js': '',
  'lib/dist/z.js': '',
  '.gitignore': 'dist\n.env\n',
};

const folderOf = (files: Readonly<Record<string, string>> = tree) => searchedFolder(files, { engines });

describe('the files that a pattern matches', () => {
  const rows: readonly (readonly [pattern: string, paths: readonly string[]])[] = [
    ['**/*.ts', ['app/[id]/page.ts', 'app/i/page.ts', 'src/a.ts', 'src/b/c.ts', 'we ird (1)/k.ts']],
    ['*', ['.gitignore']],
    ['*.ts', []],
    ['src/*', ['src/a.ts']],
    ['src/**', ['src/a.ts', 'src/b/c.ts', 'src/b/d.js']],
    ['./src/**/*.js', ['src/b/d.js']],
    ['src/', ['src/a.ts', 'src/b/c.ts', 'src/b/d.js']],
    ['{src,app}/**/*.{js,md}', ['src/b/d.js']],
    ['src/{a,b/c}.ts', ['src/a.ts', 'src/b/c.ts']],
    ['**/*.md', ['.hid/z.md']],
    ['app/[id]/*.ts', ['app/[id]/page.ts', 'app/i/page.ts']],
    ['src/a.ts/*', []],
    ['!**/*.ts', ['.gitignore', '.hid/z.md', 'src/b/d.js']],
    ['!src', ['.gitignore', '.hid/z.md', 'app/[id]/page.ts', 'app/i/page.ts', 'we ird (1)/k.ts']],
    ['src/!(b)/**', []],
    ['src/{1..9}.ts', []],
    ['src/?.ts', ['src/a.ts']],
    ['src/[a-c].ts', ['src/a.ts']],
    ['SRC/**', []],
    ['**/A.ts', []],
    ['src/a.ts', ['src/a.ts']],
    ['none/**', []],
    ['src', []],
  ];
  test('follow from each kind of pattern', () =>
    eachRow(rows, async ([pattern, paths]) => {
      const folder = folderOf();
      const found = await folder.glob(pattern);
      expect([...found.paths].sort()).toEqual(paths.map(folder.at).sort());
      // Patterns such as `src/a.ts/*` use a file as a folder.
      expect(found.unreadable ?? 0).toBe(0);
    }));

  test('a malformed pattern is rejected if no name contains it', () =>
    eachRow(['**/[abc', '{a,b', 'a}', '[z-a].ts'], async (pattern) => {
      await expect(folderOf().glob(pattern)).rejects.toMatchObject({ code: 'invalid_input' });
      const name = pattern.replace('**/', '');
      const folder = folderOf({ [name]: '' });
      expect((await folder.glob(pattern)).paths).toEqual([folder.at(name)]);
    }));

  test('brackets in a folder name also match literally', async () => {
    const folder = folderOf();
    expect((await folder.glob('app/[id]/*.ts')).paths).toContain(folder.at('app/[id]/page.ts'));
    expect((await folder.glob('we ird (1)/*')).paths).toEqual([folder.at('we ird (1)/k.ts')]);
  });

  const routes = {
    'a/[id]/p.ts': '',
    'x/(g)/p.ts': '',
    'src/app/[test]/(dashboard)/x.tsx': '',
    'x/gg/p.ts': '',
    'foo.d.ts': '',
  };
  table([
    ['a/\\[id\\]/*.ts', 'a/[id]/p.ts'],
    ['a/\\[id\\]/p.ts', 'a/[id]/p.ts'],
    ['*/(g)/p.ts', 'x/(g)/p.ts'],
    ['x/\\(g\\)/*', 'x/(g)/p.ts'],
    ['**/(g)/**', 'x/(g)/p.ts'],
    ['src/app/[test]/(dashboard)/x.tsx', 'src/app/[test]/(dashboard)/x.tsx'],
    ['src/app/\\[test\\]/(dashboard)/*', 'src/app/[test]/(dashboard)/x.tsx'],
    ['**/[test]/(dashboard)/*.tsx', 'src/app/[test]/(dashboard)/x.tsx'],
    ['src/**/(dashboard)/x.tsx', 'src/app/[test]/(dashboard)/x.tsx'],
    ['s?c/**/x.tsx', 'src/app/[test]/(dashboard)/x.tsx'],
    ['s?c/{a?p,x}/[test]/(dashboard)/x.tsx', 'src/app/[test]/(dashboard)/x.tsx'],
    ['?/\\(g\\)/*', 'x/(g)/p.ts'],
    ['foo\\.d\\.ts', 'foo.d.ts'],
  ])('names with brackets, parentheses, question marks and dots are found', async (pattern, path) => {
    const folder = folderOf(routes);
    expect((await folder.glob(pattern)).paths).toEqual([folder.at(path)]);
  });

  const bracketed = {
    'a/[...slug]/p.ts': '',
    'a/[[...all]]/p.ts': '',
    'a/[user-id]/p.ts': '',
    'a/[id].test.ts': '',
    'a/_[id]_/p.ts': '',
    'a/(y|z)/p.ts': '',
    'a/{x}/p.ts': '',
    'a/{x,y}/p.ts': '',
    'a/@modal/p.ts': '',
    'a/(.)photo/p.ts': '',
    'a/[user-id]/[0-9]/1.ts': '',
    'a/+page.ts': '',
  };
  table([
    ['[...slug]/p.ts', '[...slug]/p.ts'],
    ['[...slug]/*.ts', '[...slug]/p.ts'],
    ['[[...all]]/*.ts', '[[...all]]/p.ts'],
    ['\\[\\[...all]]/*.ts', '[[...all]]/p.ts'],
    ['[user-id]/*.ts', '[user-id]/p.ts'],
    ['[user-id]/p.ts', '[user-id]/p.ts'],
    ['[user-id]/*/[0-9].ts', '[user-id]/[0-9]/1.ts'],
    ['[user-id]/[0-9]/[0-9].ts', '[user-id]/[0-9]/1.ts'],
    ['[id].test.ts', '[id].test.ts'],
    ['_[id]_/*', '_[id]_/p.ts'],
    ['(y|z)/*', '(y|z)/p.ts'],
    ['{x}/*', '{x}/p.ts'],
    ['\\{x\\}/*', '{x}/p.ts'],
    ['{x,y}/*', '{x,y}/p.ts'],
    ['@modal/*', '@modal/p.ts'],
    ['(.)photo/*', '(.)photo/p.ts'],
    ['+page.ts', '+page.ts'],
  ])('a segment has the same meaning at every position', async (rest, path) => {
    const folder = folderOf(bracketed);
    for (const start of ['a/', '*/', '**/', '?/', './a/', `${folder.root}/a/`, `${folder.root}/**/`]) {
      const { paths } = await folder.glob(start + rest);
      expect([start, paths]).toEqual([start, [folder.at(`a/${path}`)]]);
    }
    expect((await folder.glob(rest, { path: folder.at('a') })).paths).toEqual([folder.at(`a/${path}`)]);
    const others = await folder.glob(`!**/${rest}`, { path: folder.at('a') });
    expect(others.paths).not.toContain(folder.at(`a/${path}`));
    expect(others.paths).toHaveLength(Object.keys(bracketed).length - 1);
  });

  test('many segments with brackets are as fast as one', async () => {
    const folder = folderOf({ [`${'a/'.repeat(20)}p.ts`]: '' });
    expect((await folder.glob(`${'[ab]/'.repeat(20)}*.ts`)).total).toBe(1);
  });

  test.skipIf(process.platform === 'win32')('a backslash makes the next character literal', () =>
    eachRow(
      [
        ['st\\*r.ts', 'st*r.ts'],
        ['q\\?.ts', 'q?.ts'],
        ['back\\\\slash.ts', 'back\\slash.ts'],
        ['*/st\\*r.ts', 'd/st*r.ts'],
        ['d\\[1]/*', 'd[1]/p.ts'],
        ['\\a\\b.ts', 'ab.ts'],
        ['\\!neg.ts', '!neg.ts'],
      ],
      async ([pattern, path]) => {
        const names = samples`
          st*r.ts ¦ stir.ts ¦ q?.ts ¦ qq.ts ¦ back\slash.ts ¦ d/st*r.ts ¦ d[1]/p.ts ¦ d1/p.ts ¦ ab.ts
        `;
        const folder = folderOf(Object.fromEntries([...names, '!neg.ts'].map((name) => [name, ''])));
        expect((await folder.glob(pattern)).paths).toEqual([folder.at(path)]);
      },
    ),
  );

  test('files of info/exclude are omitted, also in a search from a subfolder', async () => {
    const folder = folderOf({
      '.git/info/exclude': '# mine\nown/\n*.tmp\n',
      'own/a.ts': '',
      'b/a.tmp': '',
      'b/a.ts': '',
      'b/inner/.git/info/exclude': '*.ts\n',
      'b/inner/a.ts': '',
    });
    expect((await folder.glob('**/*')).paths).toEqual([folder.at('b/a.ts')]);
    expect((await folder.glob('*', { path: folder.at('b') })).paths).toEqual([folder.at('b/a.ts')]);
  });

  test('info/exclude is found through a .git file', () =>
    eachRow(linkedRepositories, async ([, files]) => {
      const folder = folderOf(files);
      const found = (await folder.glob('**/*.txt', { path: folder.at('tree') })).paths;
      expect(found).toEqual([folder.at('tree/seen.txt')]);
      expect((await folder.glob('*', { path: folder.at('tree/sub') })).paths).toEqual([]);
    }));

  test('a pattern is relative to the path', async () => {
    const folder = folderOf();
    expect((await folder.glob('*.ts', { path: folder.at('src/b') })).paths).toEqual([folder.at('src/b/c.ts')]);
    await expect(folder.glob('*', { path: folder.at('none') })).rejects.toMatchObject({ code: 'file_not_found' });
  });

  test('an absolute pattern inside the root', async () => {
    const folder = folderOf();
    expect((await folder.glob(`${folder.root}/src/*.ts`)).paths).toEqual([folder.at('src/a.ts')]);
  });

  test('an empty pattern is rejected', async () =>
    await expect(folderOf().glob('')).rejects.toMatchObject({ code: 'invalid_input' }));
});

describe('omitted files', () => {
  test('ignored files and .git are omitted unless the pattern names their folder', async () => {
    const folder = folderOf();
    const all = await folder.glob('**');
    expect(all.paths.join()).not.toMatch(/dist|\.git\/|\.env/);
    expect(all.ignored).toBe(3);
    expect([...(await folder.glob('dist/**')).paths].sort()).toEqual([
      folder.at('dist/sub/y.js'),
      folder.at('dist/x.js'),
    ]);
    expect((await folder.glob('**', { path: folder.at('lib/dist') })).paths).toEqual([folder.at('lib/dist/z.js')]);
    expect((await folder.glob('.env')).paths).toEqual([folder.at('.env')]);
    expect((await folder.glob('.git/*')).paths).toEqual([folder.at('.git/config')]);
  });

  test.each([
    ['packages/*/dist/*.js', ['packages/a/dist/x.js']],
    ['**/dist/x.js', ['packages/a/dist/x.js']],
    ['packages/{a,b}/dist/sub/*', ['packages/a/dist/sub/y.js']],
    ['**/[d]ist/*.js', []],
    ['**/*.js', ['packages/a/src/z.js']],
    ['packages/*/node_modules/**/i.js', ['packages/a/node_modules/m/lib/i.js']],
    ['**/lib/*.js', []],
  ])('an ignored folder is searched if the pattern names it: %s', async (pattern, paths) => {
    const folder = folderOf({
      '.gitignore': 'dist\nnode_modules/\n',
      'packages/a/dist/x.js': '',
      'packages/a/dist/sub/y.js': '',
      'packages/a/src/z.js': '',
      'packages/a/node_modules/m/lib/i.js': '',
    });
    expect((await folder.glob(pattern)).paths).toEqual(paths.map(folder.at));
  });

  test('no folder is pruned that a nearer rule includes', async () => {
    const folder = folderOf({
      '.gitignore': '*.log\n/build\n',
      'a/.gitignore': '!keep.log\n',
      'a/keep.log': '',
      'a/x.log': '',
      'a/build/f': '',
      'build/g': '',
    });
    expect([...(await folder.glob('**')).paths].sort()).toEqual(
      ['.gitignore', 'a/.gitignore', 'a/build/f', 'a/keep.log'].map(folder.at).sort(),
    );
  });
});

describe('a search never leaves the roots', () => {
  const climbing = samples`
    ../../** ¦ ../** ¦ src/../../** ¦ {src,../out}/** ¦ /etc/** ¦ /** ¦ ./../* ¦ src/../../out/secret.txt
    {..,src}/** ¦ {../out,src}/** ¦ {src,{app,..}}/** ¦ {src,app/../..}/** ¦ src/{../..,b}/* ¦ **/../../** ¦ **/..
    */../../* ¦ src/*/../../../out/* ¦ /proc/self/root/** ¦ /dev/fd/*
  `;
  test('by a pattern that goes up', () =>
    eachRow(
      climbing,
      async (pattern) => await expect(folderOf().glob(pattern)).rejects.toMatchObject({ code: 'path_outside_root' }),
    ));

  test('a pattern with .. after a wildcard is rejected with the reason, even if it would stay inside', () =>
    expect(folderOf().glob('src/*/../a.ts')).rejects.toThrow('`..` after a wildcard is not supported: src/*/../a.ts.'));

  test('nor through entries of /proc that lead back inside', async () => {
    const folder = folderOf();
    await expect(folder.glob(`/proc/self/root${folder.root}/**`)).rejects.toMatchObject({ code: 'path_outside_root' });
  });

  test('a path inside is found, also with dots', async () => {
    const folder = folderOf();
    for (const pattern of ['src/{..,b}/src/a.ts', '{src/../src,app}/a.ts', 'src/b/../a.ts']) {
      expect((await folder.glob(pattern)).paths, pattern).toEqual([folder.at('src/a.ts')]);
    }
    expect((await folder.glob('{..,b}/*.ts', { path: folder.at('src') })).paths).toEqual([folder.at('src/b/c.ts')]);
  });

  test('too many patterns that go up, from braces, are reported', async () =>
    await expect(folderOf().glob(`${'{..,a}'.repeat(20)}/*`)).rejects.toMatchObject({ code: 'invalid_input' }));

  test('nor by a disguised pattern, which finds nothing outside', () =>
    eachRow(['@(..|src)/**', '+(..)/*', '[.][.]/**'], async (pattern) => {
      const folder = folderOf();
      writeFileSync(join(folder.root, '..', 'secret.txt'), '');
      const { paths } = await folder.glob(pattern);
      expect(paths.filter((path) => !path.startsWith(`${folder.root}/`) || path.includes('secret'))).toEqual([]);
    }));

  test('nor through links: links to files inside are listed, links to folders are not followed, others are omitted', async () => {
    const folder = folderOf();
    const outside = join(folder.root, '..', 'out');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.txt'), '');
    symlinkSync(outside, folder.at('k'));
    symlinkSync(join(outside, 'secret.txt'), folder.at('s.txt'));
    symlinkSync('src/a.ts', folder.at('l.ts'));
    symlinkSync('nowhere', folder.at('dangling.ts'));
    symlinkSync('..', folder.at('src/loop'));
    symlinkSync('../src/a.ts', folder.at('app/l.ts'));
    expect([...(await folder.glob('**/*.{ts,txt}')).paths].sort()).toEqual(
      ['app/[id]/page.ts', 'app/i/page.ts', 'app/l.ts', 'l.ts', 'src/a.ts', 'src/b/c.ts', 'we ird (1)/k.ts']
        .map(folder.at)
        .sort(),
    );
    await expect(folder.glob('k/**')).rejects.toMatchObject({ code: 'path_outside_root' });
    await expect(folder.glob('k/secret.txt')).rejects.toMatchObject({ code: 'path_outside_root' });
    for (const pattern of ['l.ts', './l.ts', 'app/l.ts', '{app/l,zz}.ts', '{l,zz}.ts', folder.at('l.ts')]) {
      const name = pattern.includes('app') ? 'app/l.ts' : 'l.ts';
      expect([pattern, (await folder.glob(pattern)).paths]).toEqual([pattern, [folder.at(name)]]);
    }
    for (const pattern of ['s.txt', 'dangling.ts', 'k', 'src/loop', '{s.txt,k,dangling.ts}', 'k/../s.txt'])
      expect([pattern, (await folder.glob(pattern)).paths]).toEqual([pattern, []]);
  });
});

test('results are newest first, then by path, with the total beyond the limit', async () => {
  const folder = folderOf({ 'a.md': '', 'b.md': '', 'c.md': '', 'd.md': '' });
  for (const [path, seconds] of [
    ['a.md', 100],
    ['b.md', 300],
    ['c.md', 300],
    ['d.md', 200],
  ] as const)
    utimesSync(folder.at(path), seconds, seconds);
  expect(await folder.glob('*.md', { maxFiles: 3 })).toMatchObject({
    paths: ['b.md', 'c.md', 'd.md'].map(folder.at),
    total: 4,
    timedOut: false,
  });
});

test('200 nested folders are searched', async () => {
  const folder = folderOf({});
  const deep = Array.from({ length: 200 }, () => 'd').join('/');
  mkdirSync(folder.at(deep), { recursive: true });
  writeFileSync(folder.at(`${deep}/f.md`), '');
  expect((await folder.glob('**')).paths).toEqual([folder.at(`${deep}/f.md`)]);
});

test('many searches at the same time work, and one can be aborted', async () => {
  const folder = folderOf();
  const all = await Promise.all(Array.from({ length: 8 }, () => folder.glob('**/*.ts')));
  expect(all.map(({ total }) => total)).toEqual(all.map(() => 5));
});

test.each([undefined, false] as const)(
  'the root of the whole disk is searched like any other (ripgrep: %s)',
  async (ripgrep) => {
    const folder = searchedFolder({ 'a.txt': 'needle' }, { roots: ['/'], ripgrep });
    expect((await folder.glob('*.txt', { path: folder.root })).paths).toEqual([folder.at('a.txt')]);
    expect((await folder.grep({ pattern: 'needle', path: folder.root })).lines).toHaveLength(1);
  },
);
