import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
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
