import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileSuspensions } from '../../src/guards.js';
import { callScope } from '../support/call-scope.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('old turns are deleted, and other things in the folder stay', async () => {
  const folder = temporaryFolder();
  const old = 'a'.repeat(40);
  mkdirSync(join(folder, old));
  mkdirSync(join(folder, 'backups'));
  writeFileSync(join(folder, 'notes.txt'), 'x');
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
  await fileSuspensions(folder).claim('turn', 'call', callScope());
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['backups', 'notes.txt']));
  expect(readdirSync(folder)).not.toContain(old);
});

test('a folder that is gone or no folder is a ToolError that names it', async () => {
  const folder = temporaryFolder();
  const store = fileSuspensions(folder);
  await store.claim('turn', 'call', callScope());
  rmSync(folder, { recursive: true });
  const failure = { name: 'ToolError', code: 'storage_failed', message: expect.stringContaining(folder) };
  await expect(store.settle('turn', 'call', { waits: 1 }, callScope())).rejects.toMatchObject(failure);
  writeFileSync(folder, '');
  await expect(store.claim('turn', 'call', callScope())).rejects.toMatchObject(failure);
});
