import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPermissions } from '../../src/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

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

/** A program that leaves a mark, and settings that make read-only git commands run it in every known way. */
function hostile(root: string, config: string): void {
  const program = marking(root, 'program', 'cat 2>/dev/null\n');
  const lines = [
    `[core]\nfsmonitor = ${program}\npager = ${program}\nalternateRefsCommand = ${program}\nsshCommand = ${program}`,
    `[diff]\nexternal = ${program}\n[diff "x"]\ntextconv = ${program}\ncommand = ${program}`,
    `[filter "x"]\nclean = ${program}\nsmudge = ${program}\n[alias]\nlook = !${program}\n[log]\nshowSignature = true`,
    `[gpg]\nprogram = ${program}`,
  ];
  appendFileSync(config, `${lines.join('\n')}\n`);
}

/** A repository with a submodule that has attributes. */
function withSubmodule(root: string): string {
  repository(root);
  const evil = repository(join(root, 'evil'));
  git(root, 'add', 'evil');
  git(root, 'commit', '-qm', 'evil');
  writeFileSync(join(evil, '.gitattributes'), '* filter=x diff=x\n');
  return evil;
}

/** A program that leaves a mark when it is run. */
function marking(root: string, name: string, more = ''): string {
  const path = join(root, name);
  writeFileSync(path, `#!/bin/sh\ntouch '${root}/marked'\n${more}`);
  chmodSync(path, 0o755);
  return path;
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
    hostile(root, join(withSubmodule(root), '.git', 'config'));
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
    const program = marking(root, 'program');
    appendFileSync(join(root, '.git', 'config'), `[filter "x"] clean = ${program}\n`);
    return '.';
  },
  'a folder of hooks': (root) => {
    repository(root);
    mkdirSync(join(root, 'hooks'));
    marking(root, 'hooks/post-index-change');
    git(root, 'config', 'core.hooksPath', join(root, 'hooks'));
    return '.';
  },
  'a submodule in a part of the index that lies in a file of its own': (root) => {
    const evil = withSubmodule(root);
    git(root, 'update-index', '--split-index');
    hostile(root, join(evil, '.git', 'config'));
    return '.';
  },
  'a submodule that only history knows': (root) => {
    const evil = withSubmodule(root);
    writeFileSync(join(evil, 'a.txt'), 'three');
    git(evil, 'commit', '-qam', 'three');
    git(root, 'commit', '-qam', 'evil again');
    git(root, 'rm', '-q', '--cached', 'evil');
    git(root, 'commit', '-qm', 'no evil');
    hostile(root, join(evil, '.git', 'config'));
    return '.';
  },
  'objects that another repository promises': (root) => {
    repository(root);
    const object = git(root, 'rev-parse', 'HEAD~1:a.txt').trim();
    rmSync(join(root, '.git', 'objects', object.slice(0, 2), object.slice(2)));
    const upload = marking(root, 'upload');
    const remote = `[remote "x"]\nurl = ${root}\npartialCloneFilter = blob:none\nuploadpack = ${upload}\n`;
    appendFileSync(join(root, '.git', 'config'), remote);
    hostile(root, join(root, '.git', 'config'));
    return '.';
  },
  'folders of a sparse index that another repository promises': (root) => {
    mkdirSync(join(repository(root), 'far'));
    writeFileSync(join(root, 'far', 'b.txt'), 'far');
    git(root, 'add', 'far');
    git(root, 'commit', '-qm', 'far');
    git(root, 'sparse-checkout', 'set', '--cone', '--sparse-index');
    const tree = git(root, 'rev-parse', 'HEAD:far').trim();
    rmSync(join(root, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
    const upload = marking(root, 'upload');
    const remote = `[remote "x"]\nurl = ${root}\npartialCloneFilter = tree:0\nuploadpack = ${upload}\npromisor = true\n`;
    appendFileSync(join(root, '.git', 'config'), remote);
    return '.';
  },
  'settings that include others': (root) => {
    repository(root);
    writeFileSync(join(root, 'more'), '');
    hostile(root, join(root, 'more'));
    appendFileSync(join(root, '.git', 'config'), '[include] path = ../more\n');
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

const looks = ['status', 'diff', 'log -p', 'show', 'blame a.txt', 'diff --stat', 'describe --always --dirty'];
const more = ['log -p --submodule=diff', 'diff HEAD~1 HEAD --submodule=diff', 'diff-index HEAD', 'diff-files -p'];

async function ran(root: string, commands: readonly string[]): Promise<readonly boolean[]> {
  // With the rule, git is called to list its tracked files.
  const permissions = createPermissions({ autoAllow: 'low-risk', deny: ['Read(**/none)'], onAsk: () => 'deny' });
  const toolkit = testToolkit({ root, permissions });
  const results: boolean[] = [];
  for (const command of commands) {
    const done = await toolkit.execute([{ id: '1', name: 'Bash', input: { command } }]);
    results.push(done.results[0]?.ok === true);
  }
  return results;
}

describe('read-only git commands run nothing from the workspace, for', () => {
  test.each(Object.entries(shapes))('%s', async (_, make) => {
    const root = temporaryFolder();
    const folder = make(root);
    rmSync(join(root, 'marked'), { force: true });
    const here =
      folder === '.' ? [] : [`cd ${folder} && git status`, `cd ${folder}; git diff`, `(cd ${folder}; git log -p)`];
    const all = [...looks, ...more].map((words) => `git ${words}`);
    await ran(root, [...here, ...all, `cd ${folder} && git show`]);
    expect(existsSync(join(root, 'marked'))).toBe(false);
    // Without the check the program runs.
    for (const words of ['status', 'add -A', 'log -p --submodule=diff'])
      spawnSync('git', words.split(' '), { cwd: join(root, folder), stdio: 'ignore' });
    expect(existsSync(join(root, 'marked'))).toBe(true);
  });

  test('and a plain repository is read without a question, also from its folders', async () => {
    const root = repository(temporaryFolder());
    mkdirSync(join(root, 'src'));
    const commands = [...looks.map((words) => `git ${words}`), 'cd src && git status', 'git --no-pager log'];
    expect(await ran(root, commands)).toEqual(commands.map(() => true));
  });

  test('and outside a repository, where git compares files like diff', async () => {
    const root = temporaryFolder();
    for (const path of ['a', 'b']) mkdirSync(join(root, path));
    expect(await ran(root, ['git status || true', 'git diff a b'])).toEqual([false, false]);
  });
});

describe('auto-executed files of git ask, in any place that git names', () => {
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
    [
      'a file that settings include',
      (root) => {
        appendFileSync(join(repository(root), '.git', 'config'), '[include] path = ../tools/settings\n');
        return 'tools/settings';
      },
    ],
    [
      'the folder of the hooks of a repository further down',
      (root) => {
        repository(root);
        git(repository(join(root, 'sub')), 'config', 'core.hooksPath', 'tools/run');
        return 'sub/tools/run/any';
      },
    ],
  ])('%s', async (_, make) => {
    const root = temporaryFolder();
    const path = make(root);
    const permissions = createPermissions({ mode: 'acceptEdits', allow: ['Bash', 'Write'], onAsk: () => 'deny' });
    const toolkit = testToolkit({ root, permissions });
    const decided = async (name: string, input: object) => (await toolkit.decide({ id: '1', name, input })).behavior;
    expect(await decided('Write', { file_path: join(root, path), content: 'x' })).toBe('ask');
    expect(await decided('Bash', { command: `cp a.txt ${path}` })).toBe('ask');
    expect(await decided('Bash', { command: 'cp a.txt b.txt' })).toBe('allow');
    expect(await decided('Write', { file_path: join(root, 'b.txt'), content: 'x' })).toBe('allow');
  });
});

test('auto-executed files of git in another root, or of new settings, ask', async () => {
  const [root, other] = [repository(temporaryFolder()), repository(temporaryFolder())];
  git(other, 'config', 'core.hooksPath', 'tools/run');
  const permissions = createPermissions({ mode: 'acceptEdits', onAsk: () => 'deny' });
  const toolkit = testToolkit({ root, additionalRoots: [other], permissions });
  const decided = async (path: string) =>
    (await toolkit.decide({ id: '1', name: 'Write', input: { file_path: path, content: 'x' } })).behavior;
  expect(await decided(join(other, 'tools/run/any'))).toBe('ask');
  expect(await decided(join(root, 'later/any'))).toBe('allow');
  appendFileSync(join(root, '.git', 'config'), '[core] hooksPath = later\n');
  expect(await decided(join(root, 'later/any'))).toBe('ask');
});

test('an auto-executed file is not changed under another name', async () => {
  const root = repository(temporaryFolder());
  const hook = join(root, '.git', 'hooks', 'pre-commit');
  writeFileSync(hook, 'hook');
  linkSync(hook, join(root, 'notes.txt'));
  const toolkit = testToolkit({ root, permissions: createPermissions({ mode: 'acceptEdits' }) });
  const calls = [
    { id: '1', name: 'Read', input: { file_path: join(root, 'notes.txt') } },
    { id: '2', name: 'Write', input: { file_path: join(root, 'notes.txt'), content: 'other' } },
  ];
  const { results } = await toolkit.execute(calls);
  expect(results.map(({ ok }) => ok)).toEqual([true, true]);
  expect(readFileSync(join(root, 'notes.txt'), 'utf8')).toBe('other');
  expect(readFileSync(hook, 'utf8')).toBe('hook');
});

test('a setting that is added after the decision stops a git command that was judged read-only', async () => {
  for (const change of [false, true]) {
    const root = repository(temporaryFolder());
    writeFileSync(join(root, '.gitattributes'), '* filter=x\n');
    const program = marking(root, 'program');
    const addFilter = () => {
      if (change) git(root, 'config', 'filter.x.clean', program);
    };
    const permissions = createPermissions({ autoAllow: 'low-risk' });
    const toolkit = testToolkit({ root, permissions, hooks: { PreToolUse: [{ hooks: [async () => addFilter()] }] } });
    const result = await toolkit.call('Bash', { command: 'git status' });
    expect(result.ok || result.error.code).toBe(change ? 'file_changed' : true);
    expect(existsSync(join(root, 'marked'))).toBe(false);
  }
});
