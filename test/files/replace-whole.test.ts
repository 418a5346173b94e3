import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceWhole } from '../../src/files/disk/replace-private-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('a file that cannot be replaced stays, without a temporary file', () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'jobs.json'));
  expect(() => replaceWhole(join(root, 'jobs.json'), '[]')).toThrow('EISDIR');
  expect(readdirSync(root)).toEqual(['jobs.json']);
});
