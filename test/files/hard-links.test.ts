import { linkSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HardLinks } from '../../src/files/disk/hard-links.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function linked() {
  const base = temporaryFolder();
  const root = join(base, 'ws');
  mkdirSync(join(root, 'd'), { recursive: true });
  const path = join(root, 'a');
  writeFileSync(path, 'x');
  linkSync(path, join(root, 'd', 'b'));
  const links = new HardLinks();
  const ask = (signal = new AbortController().signal) =>
    links.allInside(path, lstatSync(path, { bigint: true }), [root], signal);
  return { base, root, path, ask };
}

test('names inside the roots are found, and the next time without a search', async () => {
  const { root, ask } = linked();
  expect(await ask()).toBe(true);
  // A search of 3,000 folders would check the signal and take time.
  for (let index = 0; index < 3_000; index++) mkdirSync(join(root, `n${index}`));
  expect(await ask(AbortSignal.abort())).toBe(true);
});

test('a renamed file is searched again', async () => {
  const { root, ask } = linked();
  expect(await ask()).toBe(true);
  renameSync(join(root, 'd', 'b'), join(root, 'c'));
  expect(await ask()).toBe(true);
});

test('a name that moved outside, or was added there, is detected', async () => {
  const { base, root, path, ask } = linked();
  expect(await ask()).toBe(true);
  linkSync(path, join(base, 'new'));
  expect(await ask()).toBe(false);
  rmSync(join(base, 'new'));
  expect(await ask()).toBe(true);
  renameSync(join(root, 'd', 'b'), join(base, 'moved'));
  expect(await ask()).toBe(false);
});

test('another file under a known name does not count', async () => {
  const { base, root, ask } = linked();
  expect(await ask()).toBe(true);
  renameSync(join(root, 'd', 'b'), join(base, 'moved'));
  writeFileSync(join(root, 'd', 'b'), 'y');
  expect(await ask()).toBe(false);
});

test('a folder replaced by a link to the outside does not count', async () => {
  const { base, root, ask } = linked();
  expect(await ask()).toBe(true);
  renameSync(join(root, 'd'), join(base, 'd'));
  symlinkSync(join(base, 'd'), join(root, 'd'));
  expect(await ask()).toBe(false);
});
