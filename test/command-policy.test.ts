import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPermissions, createToolkit, type ToolkitOptions } from '../src/index.js';
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
