import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits, ToolError } from 'toolwright';
import { hostFiles } from 'toolwright/files';
import { isTemporaryName } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import { callScope } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { FaultyDisk } from '../support/faulty-disk.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const oldText = 'old content, some bytes longer than the new';
const newText = 'new content';

type Scene =
  | 'existing file'
  | 'new file'
  | 'new file in new folders'
  | 'file with two names'
  | 'file with two names that grows';

function stage(scene: Scene) {
  const root = temporaryFolder();
  const faulty = new FaultyDisk();
  const files = hostFiles({ root, limits: defaultLimits, disk: faulty.disk });
  const path = join(root, scene === 'new file in new folders' ? 'x/y/f' : 'f');
  const exists = !scene.startsWith('new');
  const content = scene.endsWith('grows') ? newText.repeat(20) : newText;
  if (exists) writeFileSync(path, oldText);
  if (scene.startsWith('file with two names')) linkSync(path, join(root, 'other'));
  return {
    root,
    faulty,
    exists,
    content,
    path,
    update: () =>
      files.update(
        path,
        async (current) => {
          await current?.bytes();
          return { slices: [Buffer.from(content.slice(0, 4)), Buffer.from(content.slice(4))] };
        },
        callScope(),
      ),
  };
}

function everything(root: string): string[] {
  return readdirSync(root, { recursive: true }).map(String).sort();
}

describe('each system call may fail', () => {
  const scenes: readonly Scene[] = [
    'existing file',
    'new file',
    'new file in new folders',
    'file with two names',
    'file with two names that grows',
  ];
  test('a failure leaves the old or new content, no open file and no temporary file', () =>
    eachRow(
      scenes.flatMap((scene) =>
        ['ENOSPC', 'EIO', 'EACCES', 'EDQUOT', 'EROFS', 'ENOENT'].map((code) => [scene, code] as const),
      ),
      async ([scene, code]) => {
        for (let call = 0, isDone = false; !isDone; call++) {
          const { root, faulty, path, exists, content, update } = stage(scene);
          const before = everything(root);
          faulty.failAt(call, code);
          const result = await update().catch((thrown: unknown) => thrown);
          isDone = faulty.calls.length <= call;
          const where = `call ${call} (${faulty.calls[call]})`;
          const failed = result instanceof Error;
          if (failed) expect(ToolError.is(result), `${where}: ${result}`).toBe(true);
          if (failed && code === 'ENOSPC') expect((result as ToolError).code, where).toBe('storage_failed');
          const after = everything(root);
          expect(
            after.filter((name) => isTemporaryName(name.split('/').at(-1) ?? '')),
            where,
          ).toEqual([]);
          expect(faulty.open.size, where).toBe(0);
          const text = after.includes(path.slice(root.length + 1)) ? readFileSync(path, 'utf8') : undefined;
          expect([exists ? oldText : undefined, content], where).toContain(text);
          if (!failed) expect(text, where).toBe(content);
          if (failed && text === undefined && faulty.calls[call] !== 'removeDirectory')
            expect(after, where).toEqual(before);
        }
      },
    ));
});

test('partial writes are continued', () =>
  eachRow([1, 3, 7], async (bytes) => {
    const { faulty, path, update } = stage('existing file');
    faulty.writeAtMost(bytes);
    await update();
    expect(readFileSync(path, 'utf8')).toBe(newText);
  }));

test('a full disk is reported, and the old content stays', async () => {
  const { faulty, path, update } = stage('existing file');
  faulty.writeAtMost(0);
  await expect(update()).rejects.toMatchObject({ code: 'storage_failed' });
  expect(readFileSync(path, 'utf8')).toBe(oldText);
});

test('the file is written in place if no file can be created beside it', async () => {
  const rehearsal = stage('existing file');
  await rehearsal.update();
  // The first two opens are the file and its folder; the third makes the temporary file.
  const opens = rehearsal.faulty.calls.flatMap((name, index) => (name === 'open' ? [index] : []));
  const { faulty, path, update } = stage('existing file');
  const before = statSync(path).ino;
  faulty.failAt(opens[2] ?? -1, 'EACCES');
  expect(await update()).toMatchObject({ method: 'overwritten', created: false });
  expect(readFileSync(path, 'utf8')).toBe(newText);
  expect(statSync(path).ino).toBe(before);
});

describe('another program changes the file during an update', () => {
  test('the update is applied to the new content', async () => {
    const { path, root } = stage('existing file');
    const files = hostFiles({ root, limits: defaultLimits });
    const seen: string[] = [];
    await files.update(
      path,
      async (current) => {
        const text = Buffer.from((await current?.bytes()) ?? []).toString();
        seen.push(text);
        if (seen.length === 1) writeFileSync(path, 'theirs');
        return { slices: [Buffer.from(`${text}+ours`)] };
      },
      callScope(),
    );
    expect(seen).toEqual([oldText, 'theirs']);
    expect(readFileSync(path, 'utf8')).toBe('theirs+ours');
  });

  test('a repeated change fails the update, and no change of the other program is lost', async () => {
    const { path, root } = stage('existing file');
    const files = hostFiles({ root, limits: defaultLimits });
    let count = 0;
    const change = () => {
      writeFileSync(path, `theirs ${++count}`);
      return { slices: [Buffer.from('ours')] };
    };
    await expect(files.update(path, change, callScope())).rejects.toMatchObject({ code: 'file_changed' });
    expect(readFileSync(path, 'utf8')).toBe(`theirs ${count}`);
  });

  test('or creates it', async () => {
    const { path, root } = stage('new file');
    const files = hostFiles({ root, limits: defaultLimits });
    const found: boolean[] = [];
    await files.update(
      path,
      (current) => {
        found.push(current !== undefined);
        if (found.length === 1) writeFileSync(path, 'theirs');
        return { slices: [Buffer.from('ours')] };
      },
      callScope(),
    );
    expect(found).toEqual([false, true]);
  });
});

test('an abort before the rename leaves the old file and no temporary file', async () => {
  const { path, root } = stage('existing file');
  const files = hostFiles({ root, limits: defaultLimits });
  const controller = new AbortController();
  const change = () => {
    controller.abort();
    return { slices: [Buffer.from(newText)] };
  };
  await expect(files.update(path, change, callScope({ signal: controller.signal }))).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(readFileSync(path, 'utf8')).toBe(oldText);
  expect(everything(root)).toEqual(['f']);
});

test('an error of the update function is thrown, and nothing is written', async () => {
  const { path, root } = stage('existing file');
  const files = hostFiles({ root, limits: defaultLimits });
  await expect(files.update(path, () => Promise.reject(new Error('no')), callScope())).rejects.toThrow('no');
  expect(readFileSync(path, 'utf8')).toBe(oldText);
});

test('updates of one file under several names run in sequence, in order', async () => {
  const { root } = stage('existing file');
  mkdirSync(join(root, 'd'));
  const files = hostFiles({ root, limits: defaultLimits });
  const names = [join(root, 'f'), join(root, 'd', '..', 'f'), `${root}//f`];
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      files.update(
        names[index % names.length] ?? '',
        async (current) => ({ slices: [Buffer.from((await current?.bytes()) ?? []), Buffer.from(`,${index}`)] }),
        callScope(),
      ),
    ),
  );
  expect(readFileSync(join(root, 'f'), 'utf8')).toBe(
    `${oldText},${Array.from({ length: 60 }, (_, index) => index).join(',')}`,
  );
});

test('a file with two names gets its mode, or keeps the old content', async () => {
  const { root, path, faulty } = stage('file with two names');
  const files = hostFiles({ root, limits: defaultLimits, disk: faulty.disk });
  const update = (content: string, mode: number) =>
    files.update(path, () => ({ slices: [Buffer.from(content)], mode }), callScope());
  expect(await update('one', 0o755)).toMatchObject({ method: 'overwritten' });
  faulty.reset();
  await update('one', 0o700);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  const chmod = faulty.calls.indexOf('chmod');
  faulty.reset();
  faulty.failAt(chmod, 'EPERM');
  await expect(update('two', 0o600)).rejects.toMatchObject({ code: 'storage_failed' });
  expect(readFileSync(path, 'utf8')).toBe('one');
});
