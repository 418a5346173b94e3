import { existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostFiles } from '../../src/files.js';
import { createToolkit } from '../../src/index.js';
import { type DiskCall, faultyDisk, type nodeDisk } from '../../src/testing/index.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const edit = (path: string) => ({
  id: '1',
  name: 'Edit',
  input: { file_path: path, old_string: 'old', new_string: 'new' },
});

function workspace(fault: (call: DiskCall) => string | undefined) {
  const root = temporaryFolder();
  const path = join(root, 'a.txt');
  writeFileSync(path, 'old\n');
  const files = hostFiles({ root, disk: faultyDisk(fault) });
  return {
    root,
    path,
    toolkit: createToolkit({ root, permissions: 'bypassPermissions', hosts: { files }, features: { undo: true } }),
  };
}

test('a disk without faults works like the disk', async () => {
  const { toolkit, path } = workspace(() => undefined);
  const { results } = await toolkit.execute([edit(path)]);
  expect(results[0]?.ok).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('new\n');
});

test('if any call fails, the file is old or new and nothing else is left', () =>
  eachRow(['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EDQUOT'], async (code) => {
    const counted: (keyof typeof nodeDisk)[] = [];
    const whole = workspace(({ operation }) => void counted.push(operation));
    await whole.toolkit.execute([edit(whole.path)]);
    expect(counted.length).toBeGreaterThan(5);

    const refused: (string | undefined)[] = [];
    for (let failing = 1; failing <= counted.length; failing++) {
      const { toolkit, path, root } = workspace(({ number }) => (number === failing ? code : undefined));
      const [result] = (await toolkit.execute([edit(path)])).results;
      expect(readdirSync(root)).toEqual(['a.txt']);
      const isWritten = result?.ok === true || result?.output.includes('was written') === true;
      expect(readFileSync(path, 'utf8')).toBe(isWritten ? 'new\n' : 'old\n');
      if (result?.ok === false) refused.push(result.error.code);
    }
    expect(refused.length).toBeGreaterThan(2);
    expect(refused.filter((name) => name === 'execution_failed')).toEqual([]);
  }));

describe('a failure after the new content was written', () => {
  test('says that the file was written, and can be undone', () =>
    eachRow(['ENOSPC', 'EIO', 'EACCES'], async (code) => {
      const rows = [
        { file: 'new/b.txt', before: undefined, fault: 'sync', links: false },
        { file: 'a.txt', before: 'old\n', fault: 'close', links: true },
      ] as const;
      for (const { file, before, fault, links } of rows) {
        const seen: string[] = [];
        const counting = workspace(({ operation }) => void seen.push(operation));
        const write = (root: string) => ({
          id: '1',
          name: 'Write',
          input: { file_path: join(root, file), content: 'new\n' },
        });
        if (links) linkSync(counting.path, join(counting.root, 'other'));
        await counting.toolkit.execute([write(counting.root)]);
        const count = seen.filter((operation) => operation === fault).length;
        expect(count).toBeGreaterThan(0);

        let said = 0;
        for (let failing = 1; failing <= count; failing++) {
          let number = 0;
          const { toolkit, path, root } = workspace(({ operation }) =>
            operation === fault && ++number === failing ? code : undefined,
          );
          if (links) linkSync(path, join(root, 'other'));
          const target = join(root, file);
          const [result] = (await toolkit.execute([write(root)])).results;
          const now = existsSync(target) ? readFileSync(target, 'utf8') : undefined;
          if (result?.ok === true) continue;
          expect(now).toBe(result?.output.includes('was written') ? 'new\n' : before);
          if (now === before) continue;
          said++;
          const undo = (await toolkit.execute([{ id: '2', name: 'UndoFile', input: { file_path: target } }]))
            .results[0];
          expect(undo?.output).toMatch(/Removed|Restored/);
          expect(existsSync(target) ? readFileSync(target, 'utf8') : undefined).toBe(before);
        }
        expect(said, file).toBeGreaterThan(0);
      }
    }));
});
