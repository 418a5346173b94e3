import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PermissionsOptions, ShellSettings } from '../../../src/core.js';
import { createPermissions, createToolkit, type ToolkitOptions } from '../../../src/index.js';
import { samples, table } from '../../support/each-row.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { testToolkit } from '../../support/test-toolkit.js';

/** The decision about a command in a workspace. The command never runs, because the decision may be wrong. */
async function verdict(
  command: string,
  prepare: (root: string, outside: string) => void = () => {},
  options: Partial<ToolkitOptions> = {},
): Promise<string> {
  const [root, outside] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(root, 'build'));
  writeFileSync(join(root, 'a.txt'), '');
  symlinkSync(outside, join(root, 'link'));
  prepare(root, outside);
  const permissions = createPermissions({ autoAllow: 'low-risk', onAsk: () => 'deny' });
  await using toolkit = createToolkit({ root, permissions, ...options });
  const input = { command: command.replaceAll('ROOT', root).replaceAll('OUTSIDE', outside) };
  return (await toolkit.decide({ id: '1', name: 'Bash', input })).behavior;
}

table([
  ['cat a.txt', 'allow'],
  ['cat ROOT/a.txt', 'allow'],
  ['ls OUTSIDE', 'ask'],
  ['ls ../', 'ask'],
  ['ls ROOT/link', 'ask'],
  ['cat /etc/passwd', 'ask'],
  ['cd ROOT && cat a.txt', 'allow'],
  ['cd ROOT/build && git status', 'ask'],
  ['cd ROOT/link && ls', 'ask'],
  ['cd OUTSIDE && ls', 'ask'],
  ['cd link && cat a.txt', 'ask'],
  ['timeout 5 cat ROOT/a.txt', 'allow'],
  ['timeout 5 cat OUTSIDE/a.txt', 'ask'],
])('a read is proven only inside the roots', async (command, wanted) => {
  expect(await verdict(command)).toBe(wanted);
});

table([
  ...['make -C build', 'cd build && make', 'make -C ./build test'].map((line) => [line, 'allow']),
  ...['make -C link', 'make -C build -C ../link', 'cd link && make', 'make -C link/../x'].map((line) => [line, 'ask']),
])('an allow rule covers folders inside, also behind links', async (command = '', wanted) => {
  const permissions = createPermissions({ allow: ['Bash(make *)', 'Bash(cd *)'], onAsk: () => 'deny' });
  expect(await verdict(command, () => {}, { permissions })).toBe(wanted);
});

table([
  ...['rg x', 'rg x .', 'rg -l x build/', 'rg --files', "rg x -g '*.ts'", 'rg -t ts x', "rg -g '!a' x"].map((line) => [
    line,
    'allow',
  ]),
  ...[
    'rg --hidden x',
    'rg -. x',
    'rg -uu x',
    'rg -g .env x',
    "rg -g '*' x",
    'rg --iglob .ENV x',
    'rg -tsh x',
    'rg --ignore-file a x',
    'rg x .git',
    'rg x .env',
    'grep -rn x .',
  ].map((line) => [line, 'ask']),
])('rg reads no hidden files without an option for it', async (command = '', wanted) => {
  const prepare = (root: string) => {
    mkdirSync(join(root, '.git'));
    for (const file of ['.env', 'build/a.ts']) writeFileSync(join(root, file), '');
    writeFileSync(join(root, '.git/config'), '[remote "x"]\n\turl = https://me:pass@h/x\n');
    rmSync(join(root, 'link'));
  };
  expect(await verdict(command, prepare)).toBe(wanted);
});

table([
  ['grep -rn x build', 'allow'],
  ['cat build/*.txt', 'allow'],
  ['grep -rn x .', 'ask'],
  ['cat keys/*', 'ask'],
  ['grep -rn x linked', 'ask'],
  ['cd keys && grep -rn x .', 'ask'],
  ['cd ROOT && grep -rn x build', 'allow'],
  ['cd ROOT && grep -rn x keys', 'ask'],
  ['cd build && cat a.txt', 'allow'],
  ['for i in 1 2; do cd build; done; cat a.txt', 'ask'],
  ['while cd build; do cat a.txt; done', 'ask'],
  ['ls linked/[!a]ut', 'ask'],
  ['ls linked/[[.o.]]ut', 'ask'],
  // `cd` ends in the parent of the link, and `cat` would end in the parent of its target.
  ['cd linked/in/.. && ls out', 'ask'],
])('a search is proven only if no name in its folder suggests secrets or leads outside', async (line, wanted) => {
  const prepare = (root: string, outside: string) => {
    for (const folder of ['keys', 'linked']) mkdirSync(join(root, folder));
    for (const path of ['keys/server.key', 'build/a.txt']) writeFileSync(join(root, path), 'x');
    symlinkSync(outside, join(root, 'linked', 'out'));
    symlinkSync('../build', join(root, 'linked', 'in'));
    mkdirSync(join(root, 'out'));
  };
  expect(await verdict(line, prepare)).toBe(wanted);
});

table([
  ['wc -l *.txt', ['b.txt', '.env'], 'allow'],
  ['cat *.txt', ['b.txt', '.env', 'key.pem', 'deep/.env'], 'allow'],
  ['ls *', ['b.txt'], 'ask'],
  ['ls b*', ['b.txt', '.env', 'build/key.pem'], 'allow'],
  ['ls l*/', ['b.txt'], 'ask'],
  ['du -sh [ab]*', ['b.txt', '.env', 'build/key.pem'], 'allow'],
  ['du -sh [ab]*', ['b.txt', '-x'], 'ask'],
  ['cat *', ['b.txt'], 'ask'],
  ['wc -l *.txt', ['-x.txt'], 'ask'],
  ['cat *.*', ['key.pem'], 'ask'],
  ['cat build/*', ['build/-n.txt'], 'ask'],
  ['cat -*.txt', ['b.txt'], 'ask'],
])('a pattern means the existing files', async (command, files, wanted) => {
  const prepare = (root: string) => {
    mkdirSync(join(root, 'deep'));
    for (const file of files) writeFileSync(join(root, file), '');
  };
  expect(await verdict(command, prepare)).toBe(wanted);
});

describe('files with secrets are read only after a question, for any name', () => {
  const prepare = (root: string, outside: string) => {
    for (const folder of ['one', 'two', 'keys']) mkdirSync(join(root, folder));
    for (const path of ['one/a.txt', 'two/a.txt', 'one/b.txt']) writeFileSync(join(root, path), 'x');
    for (const path of ['.env', 'keys/server.key', 'keys/a.txt']) writeFileSync(join(root, path), 'x');
    writeFileSync(join(outside, 'a.txt'), 'x');
    symlinkSync(join(root, '.env'), join(root, 'settings'));
    symlinkSync('settings', join(root, 'chained'));
    symlinkSync(join(root, 'keys'), join(root, 'harmless'));
    symlinkSync(join(outside, 'a.txt'), join(root, 'away'));
    symlinkSync(join(root, 'one', 'a.txt'), join(root, 'fine'));
  };

  table(
    samples`
    cat settings ¦ cat ./settings ¦ cat ROOT/settings ¦ cat chained ¦ head -n 1 < settings ¦ cat away
    diff settings a.txt ¦ diff a.txt away ¦ diff one keys ¦ diff keys one ¦ diff one keys/ ¦ diff one ./keys
    diff ROOT/one ROOT/keys ¦ diff one harmless ¦ diff -u one keys ¦ diff -y -W 200 one keys ¦ diff keys a.txt
    cd one && diff . ../keys ¦ cat harmless/server.key ¦ grep x harmless/a.txt settings ¦ wc -c settings | cat
    sort settings ¦ cat one/a.txt settings`,
  )('asks', async (command) => {
    expect(await verdict(command, prepare)).toBe('ask');
  });

  table(
    samples`
    cat one/a.txt ¦ cat fine ¦ diff one/a.txt two/a.txt ¦ diff -u one/a.txt two/a.txt ¦ diff -U 3 one/a.txt two/a.txt
    diff one two ¦ diff -r one two ¦ diff one two/a.txt ¦ cat one/a.txt | diff - two/a.txt`,
  )('files without secrets are read without a question', async (command) => {
    expect(await verdict(command, prepare)).not.toBe('ask');
  });
});

describe('a change of auto-executed files asks, in spite of an allow rule', () => {
  const run = async (command: string, options: PermissionsOptions) => {
    const root = temporaryFolder();
    for (const folder of ['.git/hooks', '.github/workflows', 'src']) mkdirSync(join(root, folder), { recursive: true });
    symlinkSync(join(root, '.git', 'hooks'), join(root, 'src', 'tools'));
    symlinkSync(join(root, '.github', 'workflows', 'ci.yml'), join(root, 'src', 'plan.yml'));
    writeFileSync(join(root, 'a.txt'), 'x');
    await using toolkit = createToolkit({ root, permissions: createPermissions({ onAsk: () => 'deny', ...options }) });
    const input = { command: command.replaceAll('ROOT', root) };
    // Only decided, not run, because the decision may be wrong.
    return (await toolkit.decide({ id: '1', name: 'Bash', input })).behavior;
  };

  const changing = samples`
    cp a.txt .github/workflows/ci.yml ¦ cp a.txt .github/workflows ¦ cp a.txt .github/workflows/
    cp a.txt ROOT/.github/workflows/ci.yml ¦ cd .github && cp ../a.txt workflows/ci.yml
    cd .github/workflows && touch ci.yml ¦ echo x > .github/workflows/ci.yml ¦ echo x > src/plan.yml
    tee src/tools/pre-commit < a.txt ¦ cp a.txt src/tools/pre-commit ¦ cp a.txt src/tools
    cd src/tools && cp ../../a.txt pre-commit ¦ mv a.txt Jenkinsfile ¦ echo x >> .gitattributes ¦ touch .envrc
    mkdir -p .cursor && touch .cursor/mcp.json ¦ sed -i s/a/b/ .github/workflows/ci.yml
    ln -s a.txt .pre-commit-config.yaml ¦ git config core.hooksPath src ¦ cp a.txt .gi?/hooks ¦ cp a.txt s*/t*
    tee .gi*/config < a.txt ¦ git clone a.txt .git/hooks/x ¦ find . -fprint .git/hooks/pre-commit`;

  table(changing)('for each of many programs', async (command) => {
    for (const allow of [['Bash'], ['Bash(*)'], ['*']])
      expect([allow, await run(command, { allow })]).toEqual([allow, 'ask']);
  });

  test('but not in mode bypassPermissions', async () => {
    expect(await run('cp a.txt .github/workflows/ci.yml', { mode: 'bypassPermissions' })).toBe('allow');
  });

  table([
    'cp a.txt b.txt',
    'cp a.txt .github/notes.txt',
    'cat .github/workflows/ci.yml',
    'rm -f .git/index.lock',
    'cd src && touch new.ts',
    'echo x > hooks.ts',
    'git status',
    '[ -d .git ]',
    'test -d .github/workflows && ls -d .git',
    'cp .git/config backup',
    'touch src/*.ts',
    ...(process.platform === 'linux' ? ['touch head', 'echo x > src/head'] : []),
  ])('all other commands need no question', async (command) => {
    expect(await run(command, { allow: ['Bash'] })).toBe('allow');
  });
});

test('with cwdPersists, a relative path is inside only if it is inside from the folder of the session', async () => {
  const [root, outside] = [temporaryFolder(), temporaryFolder()];
  for (const folder of ['sub', 'link']) mkdirSync(join(root, folder));
  for (const folder of [join(root, 'link'), outside]) writeFileSync(join(folder, 'a.txt'), 'hello');
  symlinkSync(outside, join(root, 'sub', 'link'));
  const permissions = createPermissions({ autoAllow: 'low-risk', allow: ['Bash(cd *)'] });
  await using toolkit = createToolkit({ root, permissions, shell: { cwdPersists: true } });
  expect(await toolkit.call('Bash', { command: 'cat link/a.txt' })).toMatchObject({ ok: true, output: 'hello' });
  expect(await toolkit.call('Bash', { command: 'cd sub' })).toMatchObject({ ok: true });
  const refused = { ok: false, error: { code: 'permission_denied' } };
  expect(await toolkit.call('Bash', { command: 'cat link/a.txt' })).toMatchObject(refused);
});

test('checkCommand of the host gets the facts about the workspace', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.txt'), 'hello');
  const seen: string[] = [];
  const permissions = createPermissions({
    checkCommand: (_, { verdict: judged }) => {
      seen.push(judged);
      return judged === 'allow' ? 'allow' : 'deny';
    },
  });
  const toolkit = testToolkit({ root, permissions });
  for (const command of [`cat ${root}/a.txt`, 'cat /etc/hostname'])
    await toolkit.execute([{ id: '1', name: 'Bash', input: { command } }]);
  expect(seen).toEqual(['allow', 'ask']);
});

table<[string, ShellSettings, string]>([
  ['rm -rf build', {}, 'deny'],
  ['rm -rf build', { allowRecursiveDeleteInside: true }, 'ask'],
  ['rm -rf .', { allowRecursiveDeleteInside: true }, 'deny'],
  ['rm -rf /var/tmp/x', { allowRecursiveDeleteInside: true }, 'deny'],
  ['rm -rf link/x', { allowRecursiveDeleteInside: true }, 'deny'],
  ['rm -rf build; echo "', { allowRecursiveDeleteInside: true }, 'deny'],
  ['rm -rf build; echo \u200bdone', { allowRecursiveDeleteInside: true }, 'deny'],
])('a recursive delete inside asks with the option, and is refused otherwise', async (line, shell, wanted) => {
  expect(await verdict(line, undefined, { shell })).toBe(wanted);
});

describe('a deny rule for files also applies to commands', () => {
  const run = async (options: PermissionsOptions, lines: readonly string[], shell = {}) => {
    const root = temporaryFolder();
    for (const folder of ['notes', 'src', 'sub/notes']) mkdirSync(join(root, folder), { recursive: true });
    for (const file of ['notes/a.txt', 'src/a.txt']) writeFileSync(join(root, file), 'hello');
    symlinkSync(join(root, 'notes'), join(root, 'link'));
    const toolkit = testToolkit({ root, permissions: createPermissions(options), shell });
    const came: boolean[] = [];
    for (const line of lines) {
      came.push((await toolkit.call('Bash', { command: line.replaceAll('ROOT', root) })).ok);
    }
    return came;
  };

  const closed = samples`
    cat notes/a.txt ¦ head -1 notes/a.txt ¦ cat < notes/a.txt ¦ cat ROOT/notes/a.txt ¦ cat link/a.txt ¦ cat notes/*
    cd notes && cat a.txt ¦ grep -rn h notes ¦ grep -rn h .`;
  const open = ['cat src/a.txt', 'cat src/*.txt', 'grep -rn h src'];
  const rules = ['Read(notes/**)'];

  test.each<[string, PermissionsOptions]>([
    ['a deny rule, where low risk runs', { autoAllow: 'low-risk', deny: rules }],
    ['an ask rule, where low risk runs', { autoAllow: 'low-risk', ask: rules }],
    ['a deny rule, where everything runs', { mode: 'bypassPermissions', deny: rules }],
    ['an ask rule, where everything runs', { mode: 'bypassPermissions', ask: rules }],
    [
      'a deny rule, where the command is allowed',
      { allow: ['Bash(cat *)', 'Bash(head *)', 'Bash(grep *)', 'Bash(cd *)'], deny: rules },
    ],
  ])('%s', async (_, options) => {
    expect(await run(options, closed)).toEqual(closed.map(() => false));
    expect(await run(options, open)).toEqual(open.map(() => true));
  });

  test('that show the files of two folders, if they name an existing one', async () => {
    const root = temporaryFolder();
    for (const folder of ['notes', 'src', 'other']) mkdirSync(join(root, folder));
    for (const file of ['notes/hidden.txt', 'src/a.txt', 'a.txt', 'b.txt']) writeFileSync(join(root, file), 'hello');
    const permissions = createPermissions({ mode: 'bypassPermissions', deny: ['Read(**/hidden.txt)'] });
    const toolkit = testToolkit({ root, permissions });
    const answers = async (lines: readonly string[]) => {
      const asked = lines.map((command) => toolkit.decide({ id: '1', name: 'Bash', input: { command } }));
      return (await Promise.all(asked)).map(({ behavior }, index) => `${lines[index]}: ${behavior}`);
    };
    const closed = [
      'diff notes src',
      'diff -N ./notes other',
      'git diff notes src',
      'git diff --no-index src notes',
      'git diff main',
    ];
    expect(await answers(closed)).toEqual(closed.map((line) => `${line}: ask`));
    const open = ['diff a.txt b.txt', 'diff src other', 'git diff HEAD~1 -- a.txt', 'git diff HEAD a.txt'];
    expect(await answers(open)).toEqual(open.map((line) => `${line}: allow`));
  });

  test('of git that change a tracked file without naming it', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'src'));
    for (const file of ['a.txt', 'src/b.txt', 'kept.txt', 'untracked.txt']) writeFileSync(join(root, file), file);
    const git = (...words: string[]) => execFileSync('git', words, { cwd: root, stdio: 'pipe' });
    git('init', '-q');
    git('add', 'a.txt', 'src', 'kept.txt');
    const decided = async (file: string, command: string) => {
      const permissions = createPermissions({ mode: 'bypassPermissions', deny: [`Edit(${file})`] });
      await using toolkit = testToolkit({ root, permissions });
      return (await toolkit.decide({ id: '1', name: 'Bash', input: { command } })).behavior;
    };
    const tracked = samples`
      git checkout . ¦ git checkout main ¦ git restore . ¦ git reset --hard ¦ git stash ¦ git apply x.patch ¦ git pull
      git merge x ¦ git rebase x ¦ git cherry-pick x ¦ git switch x ¦ git checkout -- '*.txt' ¦ git p
    `;
    for (const command of tracked) {
      expect([command, await decided('kept.txt', command)]).toEqual([command, 'ask']);
      expect([command, await decided('untracked.txt', command)]).toEqual([command, 'allow']);
    }
    for (const command of [
      'git clean -fd',
      'git stash -u',
      'git rm -r .',
      'git clean -fd "*.txt"',
      'git clean -f ":!src"',
    ])
      expect([command, await decided('untracked.txt', command)]).toEqual([command, 'ask']);
    const others = [
      'git checkout a.txt',
      'git checkout src',
      'git restore src',
      'git rm gone.txt',
      'git clean -fd src',
    ];
    for (const command of [...others, 'git clean -nd', 'git commit -m x'])
      expect([command, await decided('kept.txt', command)]).toEqual([command, 'allow']);
    expect(await decided('src/b.txt', 'git checkout src')).toBe('ask');
  });

  test('of git that show a tracked file without naming it', async () => {
    const root = temporaryFolder();
    const git = (...words: string[]) => execFileSync('git', words, { cwd: root, stdio: 'pipe' });
    git('init', '-q');
    for (const file of ['.env', 'a.txt', 'with a long name of some letters.txt', 'é.txt'])
      writeFileSync(join(root, file), file);
    git('add', 'a.txt', 'with a long name of some letters.txt', 'é.txt');
    const permissions = createPermissions({ mode: 'bypassPermissions', deny: ['Read(**/.env)'] });
    const toolkit = testToolkit({ root, permissions });
    const shown = ['git diff', 'git show HEAD', 'git log -p', 'git stash show -p', 'git archive HEAD'];
    const answers = async (lines: readonly string[]) =>
      (await Promise.all(lines.map((command) => toolkit.decide({ id: '1', name: 'Bash', input: { command } })))).map(
        ({ behavior }) => behavior,
      );
    const all = (behavior: string) => shown.map(() => behavior);
    expect(await answers(shown)).toEqual(all('allow'));
    expect(await answers(['git show HEAD:.env', 'git log -p -- .env'])).toEqual(['deny', 'deny']);
    expect(await answers(['cd a && git show', 'git -C a show'])).toEqual(['ask', 'ask']);
    git('add', '-f', '.env');
    expect(await answers(shown)).toEqual(all('ask'));
    git('rm', '-q', '--cached', '.env');
    expect(await answers(shown)).toEqual(all('allow'));
  });

  test('for tracked files, in every form of the git index', async () => {
    const root = temporaryFolder();
    const git = (...words: string[]) => execFileSync('git', words, { cwd: root, stdio: 'pipe' });
    git('init', '-q');
    for (const folder of ['src', 'notes']) mkdirSync(join(root, folder));
    for (const file of ['src/a.txt', 'notes/b.txt', 'c.txt']) writeFileSync(join(root, file), file);
    git('add', '.');
    git('-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-qm', 'x');
    const decided = async (folder = '.') => {
      const permissions = createPermissions({ mode: 'bypassPermissions', deny: ['Read(**/b.txt)'] });
      await using toolkit = testToolkit({ root: join(root, folder), permissions });
      return (await toolkit.decide({ id: '1', name: 'Bash', input: { command: 'git show HEAD' } })).behavior;
    };
    for (const form of [['--index-version', '4'], ['--split-index'], ['--no-split-index', '--index-version', '2']]) {
      git('update-index', ...form);
      expect([form, await decided()]).toEqual([form, 'ask']);
      git('rm', '-q', '--cached', 'notes/b.txt');
      expect([form, await decided()]).toEqual([form, 'allow']);
      git('add', 'notes');
    }
    // The repository contains the root.
    expect(await decided('src')).toBe('ask');
    git('sparse-checkout', 'set', '--cone', '--sparse-index', 'src');
    expect(await decided()).toBe('ask');
    // Without an index the history is unknown.
    rmSync(join(root, '.git/index'));
    expect(await decided()).toBe('ask');
  });

  describe('links that a pattern matches also lead there', () => {
    const behind = async (rule: string, lines: readonly string[]) => {
      const root = temporaryFolder();
      for (const folder of ['notes/deep', 'src', 'many']) mkdirSync(join(root, folder), { recursive: true });
      for (const file of ['.env', 'notes/a.txt', 'notes/deep/b.txt', 'src/a.txt', 'plain.md'])
        writeFileSync(join(root, file), 'hello');
      const links = {
        'ln.txt': '.env',
        'src/up.txt': '../.env',
        'src/near.txt': 'a.txt',
        way: 'notes',
        '[id]': '.env',
        'two.txt': 'ln.txt',
        'gone.txt': 'nowhere',
      };
      for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
      const permissions = createPermissions({ mode: 'bypassPermissions', deny: [rule] });
      await using toolkit = createToolkit({ root, permissions });
      const codes: string[] = [];
      for (const line of lines) {
        const result = await toolkit.call('Bash', { command: line.replaceAll('ROOT', root) });
        codes.push(result.ok ? 'ran' : result.error.code);
      }
      return lines.map((line, index) => `${line}: ${codes[index]}`);
    };
    const all = (lines: readonly string[], code: string) => lines.map((line) => `${line}: ${code}`);

    test('to a file', async () => {
      const closed = samples`
        cat ln* ¦ cat * ¦ head -n1 *.txt ¦ cat l?.txt ¦ cat [kl]n.txt ¦ cat ./tw* ¦ cat ROOT/l* ¦ cat src/u*
        cat s*/up.txt ¦ cat [id]`;
      expect(await behind('Read(**/.env)', [...closed, 'cd src && cat u*', 'cat < l*', 'cat LN*'])).toEqual(
        all([...closed, 'cd src && cat u*', 'cat < l*', 'cat LN*'], 'permission_denied'),
      );
      const open = samples`
        cat *.md ¦ cat src/a* ¦ cat src/n* ¦ cat pl*n.md ¦ cat s*/a.txt ¦ cat gone*; true ¦ ls nothing*; true
        cat notes/*/b.txt`;
      expect(await behind('Read(**/.env)', open)).toEqual(all(open, 'ran'));
    });

    test('to a folder', async () => {
      const closed = samples`
        cat way/* ¦ cat wa*/a.txt ¦ cat w*/* ¦ cat */deep/b.txt ¦ grep -r hello wa* ¦ cp -r wa* /tmp/none`;
      expect(await behind('Read(notes/**)', closed)).toEqual(all(closed, 'permission_denied'));
      const open = ['cat s*/a.txt', 'cat src/*.txt', 'grep -r hello sr*'];
      expect(await behind('Read(notes/**)', open)).toEqual(all(open, 'ran'));
    });

    test('with too many files to check, a match is possible', async () => {
      const root = temporaryFolder();
      for (let index = 0; index < 2_100; index++) mkdirSync(join(root, `d${index}`));
      const permissions = createPermissions({ mode: 'bypassPermissions', deny: ['Read(**/.env)'] });
      await using toolkit = createToolkit({ root, permissions });
      const { behavior } = await toolkit.decide({ id: '1', name: 'Bash', input: { command: 'cat d*/x*' } });
      expect(behavior).toBe('ask');
    });
  });

  test('from the folder of a session', async () => {
    const lines = ['cat src/a.txt', 'cd notes', 'cat a.txt', 'echo x > b.txt'];
    const options: PermissionsOptions = { mode: 'bypassPermissions', deny: ['Read(notes/*)', 'Edit(notes/*)'] };
    expect(await run(options, lines, { cwdPersists: true })).toEqual([true, true, false, false]);
  });
});

test('a folder that is removed before the next turn does not end the turn', async () => {
  const root = temporaryFolder();
  const permissions = createPermissions();
  await using toolkit = createToolkit({ root, permissions });
  permissions.addDirectories([join(root, 'gone')]);
  expect(await toolkit.call('Glob', { pattern: '*' })).toMatchObject({ ok: true });
});
