import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPermissions, createToolkit } from '../../src/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.org', '-c', 'protocol.file.allow=always'];
const git = (cwd: string, ...words: string[]) =>
  execFileSync('git', [...identity, ...words], { cwd, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' });

/** A repository with two commits and a change. */
function repository(folder: string): string {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q');
  for (const text of ['one', 'two']) {
    writeFileSync(join(folder, 'a.txt'), text);
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', text);
  }
  writeFileSync(join(folder, 'a.txt'), 'new');
  return folder;
}

/** A program that leaves a mark, and settings that make git run it in every way that looking knows. */
function hostile(root: string, config: string): void {
  const program = join(root, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch '${root}/marked'\ncat 2>/dev/null\n`);
  chmodSync(program, 0o755);
  const lines = [
    `[core]\nfsmonitor = ${program}\npager = ${program}\nalternateRefsCommand = ${program}\nsshCommand = ${program}`,
    `[diff]\nexternal = ${program}\n[diff "x"]\ntextconv = ${program}\ncommand = ${program}`,
    `[filter "x"]\nclean = ${program}\nsmudge = ${program}\n[alias]\nlook = !${program}\n[log]\nshowSignature = true`,
    `[gpg]\nprogram = ${program}`,
  ];
  appendFileSync(config, `${lines.join('\n')}\n`);
}

const shapes: Readonly<Record<string, (root: string) => string>> = {
  'a folder that looks like a bare repository': (root) => {
    repository(root);
    const evil = repository(join(root, 'evil'));
    for (const name of ['HEAD', 'config', 'objects', 'refs', 'index'])
      renameSync(join(evil, '.git', name), join(evil, name));
    rmSync(join(evil, '.git'), { recursive: true });
    appendFileSync(join(evil, 'config'), `[core]\nbare = false\nworktree = ${evil}\n`);
    hostile(root, join(evil, 'config'));
    return 'evil';
  },
  'a .git file': (root) => {
    repository(root);
    const evil = repository(join(root, 'evil'));
    renameSync(join(evil, '.git'), join(root, 'store'));
    writeFileSync(join(evil, '.git'), 'gitdir: ../store\n');
    hostile(root, join(root, 'store', 'config'));
    return 'evil';
  },
  'its own settings': (root) => {
    hostile(root, join(repository(root), '.git', 'config'));
    return '.';
  },
  'a submodule': (root) => {
    repository(root);
    const evil = repository(join(root, 'evil'));
    git(root, 'add', 'evil');
    git(root, 'commit', '-qm', 'evil');
    writeFileSync(join(evil, '.gitattributes'), '* filter=x diff=x\n');
    hostile(root, join(evil, '.git', 'config'));
    return '.';
  },
  'a worktree': (root) => {
    const main = repository(join(root, 'main'));
    git(main, 'worktree', 'add', '-q', join(root, 'evil'));
    hostile(root, join(main, '.git', 'config'));
    return 'evil';
  },
  'attributes with filters': (root) => {
    repository(root);
    writeFileSync(join(root, '.gitattributes'), '* filter=x diff=x\n');
    const program = join(root, 'program');
    writeFileSync(program, `#!/bin/sh\ntouch '${root}/marked'\n`);
    chmodSync(program, 0o755);
    appendFileSync(join(root, '.git', 'config'), `[filter "x"] clean = ${program}\n`);
    return '.';
  },
  'a folder of hooks': (root) => {
    repository(root);
    mkdirSync(join(root, 'hooks'));
    const hook = join(root, 'hooks', 'post-index-change');
    writeFileSync(hook, `#!/bin/sh\ntouch '${root}/marked'\n`);
    chmodSync(hook, 0o755);
    git(root, 'config', 'core.hooksPath', join(root, 'hooks'));
    return '.';
  },
  'objects elsewhere': (root) => {
    repository(root);
    const other = repository(join(root, 'other'));
    writeFileSync(join(root, '.git', 'objects', 'info', 'alternates'), join(other, '.git', 'objects'));
    hostile(root, join(root, '.git', 'config'));
    return '.';
  },
};

const looks = ['status', 'diff', 'log -p', 'show', 'blame a.txt'];

async function ran(root: string, commands: readonly string[]): Promise<readonly boolean[]> {
  const permissions = createPermissions({ autoAllow: 'low-risk', onAsk: () => 'deny' });
  const toolkit = createToolkit({ root, permissions });
  onTestFinished(() => toolkit.dispose());
  const results: boolean[] = [];
  for (const command of commands) {
    const done = await toolkit.execute([{ id: '1', name: 'Bash', input: { command } }]);
    results.push(done.results[0]?.ok === true);
  }
  return results;
}

describe('looking with git runs nothing that lies in the workspace, for', () => {
  test.each(Object.entries(shapes))('%s', async (_, make) => {
    const root = temporaryFolder();
    const folder = make(root);
    rmSync(join(root, 'marked'), { force: true });
    const here =
      folder === '.' ? [] : [`cd ${folder} && git status`, `cd ${folder}; git diff`, `(cd ${folder}; git log -p)`];
    await ran(root, [...here, ...looks.map((words) => `git ${words}`), `cd ${folder} && git show`]);
    expect(existsSync(join(root, 'marked'))).toBe(false);
    // Without the judgement the program does run.
    git(join(root, folder), 'status');
    git(join(root, folder), 'add', '-A');
    expect(existsSync(join(root, 'marked'))).toBe(true);
  });

  test('and a plain repository is looked at without a question, from the folders in it too', async () => {
    const root = repository(temporaryFolder());
    mkdirSync(join(root, 'src'));
    const commands = [...looks.map((words) => `git ${words}`), 'cd src && git status', 'git --no-pager log'];
    expect(await ran(root, commands)).toEqual(commands.map(() => true));
  });

  test('and where there is no repository, in which git shows files as diff does', async () => {
    const root = temporaryFolder();
    for (const path of ['a', 'b']) mkdirSync(join(root, path));
    expect(await ran(root, ['git status || true', 'git diff a b'])).toEqual([false, false]);
  });
});

describe('what git obeys is asked about, wherever git says it lies', () => {
  test.each<[string, (root: string) => string]>([
    [
      'the folder of the hooks',
      (root) => {
        git(repository(root), 'config', 'core.hooksPath', 'tools/run');
        mkdirSync(join(root, 'tools', 'run'), { recursive: true });
        return 'tools/run/any';
      },
    ],
    [
      'the folder that a .git file names',
      (root) => {
        repository(root);
        renameSync(join(root, '.git'), join(root, 'store'));
        writeFileSync(join(root, '.git'), 'gitdir: store\n');
        return 'store/config';
      },
    ],
  ])('%s', async (_, make) => {
    const root = temporaryFolder();
    const path = make(root);
    const permissions = createPermissions({ mode: 'acceptEdits', allow: ['Bash', 'Write'], onAsk: () => 'deny' });
    const toolkit = createToolkit({ root, permissions });
    onTestFinished(() => toolkit.dispose());
    const decided = async (name: string, input: object) => (await toolkit.decide({ id: '1', name, input })).behavior;
    expect(await decided('Write', { file_path: join(root, path), content: 'x' })).toBe('ask');
    expect(await decided('Bash', { command: `cp a.txt ${path}` })).toBe('ask');
    expect(await decided('Bash', { command: 'cp a.txt b.txt' })).toBe('allow');
    expect(await decided('Write', { file_path: join(root, 'b.txt'), content: 'x' })).toBe('allow');
  });
});
