import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createToolkit } from 'toolwright';
import { managedFiles, memoryStores } from 'toolwright/managed';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

test('searches find the files of the calling user together with those of the disk', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'tea.txt'), 'tea on the disk\n');
  const mounts = managedFiles({ stores: memoryStores(), kindOf: () => 'open' });
  await using toolkit = createToolkit({ root, mounts, permissions: 'acceptEdits' });
  const call = async (name: string, input: object, userId: string) =>
    (await toolkit.call(name, input as never, { caller: { sessionId: userId, agentId: 'helper', userId } })).output;
  await call('Write', { file_path: join(root, 'memory/today.md'), content: 'Ann likes tea.\n' }, 'ann');
  await call('Write', { file_path: join(root, 'SOUL.md'), content: 'Serve tea.\n' }, 'ann');
  const grep = { pattern: 'tea', output_mode: 'content' };
  expect((await call('Grep', grep, 'ann')).split('\n').sort()).toEqual([
    `${root}/SOUL.md:1:Serve tea.`,
    `${root}/memory/today.md:1:Ann likes tea.`,
    `${root}/tea.txt:1:tea on the disk`,
  ]);
  expect(await call('Grep', grep, 'bob')).toBe(`${root}/tea.txt:1:tea on the disk`);
  expect((await call('Glob', { pattern: '**/*' }, 'ann')).split('\n')).toHaveLength(3);
  expect(await call('Glob', { pattern: '**/*' }, 'bob')).toBe(`${root}/tea.txt`);
  await call('Edit', { file_path: join(root, 'SOUL.md'), old_string: 'tea', new_string: 'coffee' }, 'ann');
  expect(await call('Read', { file_path: join(root, 'SOUL.md') }, 'ann')).toBe('1\tServe coffee.');
});

test('a command that names such a file gets one note per session that the file is not on the disk', async () => {
  const mounts = managedFiles({ stores: memoryStores(), kindOf: () => 'open' });
  await using toolkit = createToolkit({ root: temporaryFolder(), mounts, permissions: 'bypassPermissions' });
  const bash = async (command: string, sessionId: string) =>
    (await toolkit.call('Bash', { command }, { caller: { sessionId } })).output;
  expect(await bash('echo fine', 'a')).not.toContain('not on the disk');
  const hint = '[memory/tea.md is not on the disk that commands see. Use Read, Write, Edit, Grep and Glob for it.]';
  expect(await bash('echo tea; test -e "memory/tea.md"', 'a')).toContain(hint);
  expect(await bash('cat SOUL.md', 'a')).not.toContain('Use Read, Write');
  expect(await bash('cat SOUL.md || true', 'b')).toContain('[SOUL.md is not on the disk');
});
