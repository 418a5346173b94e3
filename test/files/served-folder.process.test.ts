import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostFiles } from 'toolwright/files';
import { memoryFiles } from 'toolwright/testing';
import { expect, onTestFinished, test } from 'vitest';
import { serveFolder } from '../../src/files/mounts/serve-folder.js';
import { callScope } from '../support/call-scope.js';
import { grepQuery } from '../support/search.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function served() {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.txt'), 'word\n');
  const memory = memoryFiles({ files: { 'b.txt': 'word\n' } });
  const beside = hostFiles({ root: folder });
  onTestFinished(async () => {
    await memory[Symbol.asyncDispose]();
    await beside[Symbol.asyncDispose]();
  });
  let path: string | undefined = folder;
  const files = serveFolder(memory, { path: () => path, files: () => beside });
  return {
    files,
    folder,
    file: join(folder, 'a.txt'),
    goes: () => {
      path = undefined;
    },
  };
}

test('the folder is read, listed and searched by its path', async () => {
  const { files, folder, file } = served();
  expect(await files.resolve(file, callScope())).toBe(file);
  expect((await files.stat(file, callScope()))?.kind).toBe('file');
  await (await files.open(file, callScope())).close();
  expect((await files.list(folder, callScope())).map(({ name }) => name)).toEqual(['a.txt']);
  expect((await files.grep(grepQuery({ pattern: 'word', path: folder }), callScope())).lines).toEqual([
    `${file}:1:word`,
  ]);
});

test('it is not visible elsewhere, and is read-only', async () => {
  const { files, file } = served();
  const outside = { code: 'path_outside_root' };
  expect((await files.grep(grepQuery({ pattern: 'word' }), callScope())).lines).toEqual(['/workspace/b.txt:1:word']);
  expect((await files.glob({ pattern: '**', maxFiles: 9 }, callScope())).paths).toEqual(['/workspace/b.txt']);
  await expect(files.update(file, () => ({ slices: [] }), callScope())).rejects.toMatchObject(outside);
  await expect(files.remove(file, callScope())).rejects.toMatchObject(outside);
  expect((await files.removeFolder?.(file, callScope())) ?? false).toBe(false);
  for (const path of [`${file}/../../x`, join(file, '..', '..')]) {
    await expect(files.resolve(path, callScope())).rejects.toMatchObject(outside);
  }
});

test('a folder that does not exist yet or any more is outside', async () => {
  const { files, file, goes } = served();
  goes();
  await expect(files.open(file, callScope())).rejects.toMatchObject({ code: 'path_outside_root' });
});
