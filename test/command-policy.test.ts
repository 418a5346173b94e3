import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPermissions, createToolkit, type PermissionsOptions, type ToolkitOptions } from '../src/index.js';
import { temporaryFolder } from './support/temporary-folder.js';

async function verdict(command: (root: string, outside: string) => string, options: Partial<ToolkitOptions> = {}): Promise<string> {
  const root = temporaryFolder();
  const outside = temporaryFolder();
  mkdirSync(join(root, 'build'));
  writeFileSync(join(root, 'a.txt'), '');
  symlinkSync(outside, join(root, 'link'));
  const permissions = createPermissions({ autoAllow: 'low-risk', onAsk: () => 'deny' });
  const toolkit = createToolkit({ root, permissions, ...options });
  onTestFinished(() => toolkit.dispose());
  const { results } = await toolkit.execute([{ id: '1', name: 'Bash', input: { command: command(root, outside) } }]);
  return results[0]?.ok === true ? 'allow' : results[0]?.error.code === 'command_denied' ? 'deny' : 'ask';
}

describe('reading runs by itself only where it stays inside', () => {
  test.each<[string, (root: string, outside: string) => string, string]>([
    ['a relative path', () => 'cat a.txt', 'allow'],
    ['an absolute path inside', (root) => `cat ${root}/a.txt`, 'allow'],
    ['an absolute path outside', (_root, outside) => `ls ${outside}`, 'ask'],
    ['a path that climbs out', () => 'ls ../', 'ask'],
    ['an absolute path through a link to outside', (root) => `ls ${root}/link`, 'ask'],
    ['the password file', () => 'cat /etc/passwd', 'ask'],
  ])('%s', async (_, command, wanted) => {
    expect(await verdict(command)).toBe(wanted);
  });
});

describe('a search through folders runs by itself only where no name tells of secrets', () => {
  test.each<[string, string, string]>([
    ['a folder without', 'grep -rn x build', 'allow'],
    ['a pattern in it', 'cat build/*.txt', 'allow'],
    ['the whole workspace, with a key', 'grep -rn x .', 'ask'],
    ['a pattern that may mean the key', 'cat keys/*', 'ask'],
    ['a folder with a link', 'grep -rn x linked', 'ask'],
    ['a folder that the line has entered', 'cd keys && grep -rn x .', 'ask'],
  ])('%s', async (_, command, wanted) => {
    const prepared = (root: string, outside: string) => {
      for (const folder of ['keys', 'linked']) mkdirSync(join(root, folder));
      writeFileSync(join(root, 'keys', 'server.key'), '');
      writeFileSync(join(root, 'build', 'a.txt'), 'x');
      symlinkSync(outside, join(root, 'linked', 'out'));
      return command;
    };
    expect(await verdict(prepared)).toBe(wanted);
  });
});

describe('where cd lasts', () => {
  test('a relative path is inside only if it is so from where a session stands', async () => {
    const root = temporaryFolder();
    const outside = temporaryFolder();
    mkdirSync(join(root, 'sub'));
    for (const folder of [root, outside]) writeFileSync(join(folder, 'a.txt'), 'hello');
    mkdirSync(join(root, 'link'));
    writeFileSync(join(root, 'link', 'a.txt'), 'hello');
    symlinkSync(outside, join(root, 'sub', 'link'));
    const permissions = createPermissions({ autoAllow: 'low-risk', allow: ['Bash(cd *)'] });
    const toolkit = createToolkit({ root, permissions, shell: { cwdPersists: true } });
    onTestFinished(() => toolkit.dispose());
    const run = async (command: string) => (await toolkit.execute([{ id: '1', name: 'Bash', input: { command } }])).results[0];
    expect(await run('cat link/a.txt')).toMatchObject({ ok: true, output: 'hello' });
    expect(await run('cd sub')).toMatchObject({ ok: true });
    expect(await run('cat link/a.txt')).toMatchObject({ ok: false, error: { code: 'permission_denied' } });
  });
});

test('a host that checks commands itself is told what the workspace knows', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.txt'), 'hello');
  const seen: string[] = [];
  const permissions = createPermissions({
    checkCommand: (_, { verdict: judged }) => {
      seen.push(judged);
      return judged === 'allow' ? 'allow' : 'deny';
    },
  });
  const toolkit = createToolkit({ root, permissions });
  onTestFinished(() => toolkit.dispose());
  for (const command of [`cat ${root}/a.txt`, 'cat /etc/hostname']) await toolkit.execute([{ id: '1', name: 'Bash', input: { command } }]);
  expect(seen).toEqual(['allow', 'ask']);
});

describe('a recursive delete', () => {
  const shell = { allowRecursiveDeleteInside: true };

  test.each<[string, () => string, object, string]>([
    ['is refused', () => 'rm -rf build', {}, 'deny'],
    ['is asked about inside when the host says so', () => 'rm -rf build', { shell }, 'ask'],
    ['of the root itself is refused all the same', () => 'rm -rf .', { shell }, 'deny'],
    ['outside is refused all the same', () => 'rm -rf /var/tmp/x', { shell }, 'deny'],
    ['through a link is refused all the same', () => 'rm -rf link/x', { shell }, 'deny'],
  ])('%s', async (_, command, options, wanted) => {
    expect(await verdict(command, options)).toBe(wanted);
  });
});

describe('what a rule keeps closed stays closed to commands', () => {
  const run = async (options: PermissionsOptions, lines: readonly string[], shell = {}) => {
    const root = temporaryFolder();
    for (const folder of ['notes', 'src', 'sub/notes']) mkdirSync(join(root, folder), { recursive: true });
    for (const file of ['notes/a.txt', 'src/a.txt']) writeFileSync(join(root, file), 'hello');
    symlinkSync(join(root, 'notes'), join(root, 'link'));
    const toolkit = createToolkit({ root, permissions: createPermissions(options), shell });
    onTestFinished(() => toolkit.dispose());
    const came: boolean[] = [];
    for (const line of lines) {
      const { results } = await toolkit.execute([{ id: '1', name: 'Bash', input: { command: line.replaceAll('ROOT', root) } }]);
      came.push(results[0]?.ok === true);
    }
    return came;
  };

  const closed = [
    'cat notes/a.txt',
    'head -1 notes/a.txt',
    'cat < notes/a.txt',
    'cat ROOT/notes/a.txt',
    'cat link/a.txt',
    'cat notes/*',
    'cd notes && cat a.txt',
    'grep -rn h notes',
    'grep -rn h .',
  ];
  const open = ['cat src/a.txt', 'cat src/*.txt', 'grep -rn h src'];
  const rules = ['Read(notes/**)'];

  test.each<[string, PermissionsOptions]>([
    ['a deny rule, where low risk runs', { autoAllow: 'low-risk', deny: rules }],
    ['an ask rule, where low risk runs', { autoAllow: 'low-risk', ask: rules }],
    ['a deny rule, where everything runs', { mode: 'bypassPermissions', deny: rules }],
    ['an ask rule, where everything runs', { mode: 'bypassPermissions', ask: rules }],
    ['a deny rule, where the command is allowed', { allow: ['Bash(cat *)', 'Bash(head *)', 'Bash(grep *)', 'Bash(cd *)'], deny: rules }],
  ])('%s', async (_, options) => {
    expect(await run(options, closed)).toEqual(closed.map(() => false));
    expect(await run(options, open)).toEqual(open.map(() => true));
  });

  test('from a folder where a session stands', async () => {
    const lines = ['cat src/a.txt', 'cd notes', 'cat a.txt', 'echo x > b.txt'];
    const options: PermissionsOptions = { mode: 'bypassPermissions', deny: ['Read(notes/*)', 'Edit(notes/*)'] };
    expect(await run(options, lines, { cwdPersists: true })).toEqual([true, true, false, false]);
  });
});

test('a folder that is gone when the next turn begins does not end the turn', async () => {
  const root = temporaryFolder();
  const permissions = createPermissions();
  const toolkit = createToolkit({ root, permissions });
  onTestFinished(() => toolkit.dispose());
  permissions.addDirectories([join(root, 'gone')]);
  const { results } = await toolkit.execute([{ id: '1', name: 'Glob', input: { pattern: '*' } }]);
  expect(results[0]?.ok).toBe(true);
});
