import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createToolkit, hostFiles } from '../../src/index.js';
import { type DiskCall, faultyDisk, type nodeDisk } from '../../src/testing/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const edit = (path: string) => ({ id: '1', name: 'Edit', input: { file_path: path, old_string: 'old', new_string: 'new' } });

function workspace(fault: (call: DiskCall) => string | undefined) {
  const root = temporaryFolder();
  const path = join(root, 'a.txt');
  writeFileSync(path, 'old\n');
  const files = hostFiles({ root, disk: faultyDisk(fault) });
  return { root, path, toolkit: createToolkit({ root, permissions: 'acceptEdits', hosts: { files } }) };
}

test('a disk without faults is the disk', async () => {
  const { toolkit, path } = workspace(() => undefined);
  const { results } = await toolkit.execute([edit(path)]);
  expect(results[0]?.ok).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('new\n');
});

test.each(['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EDQUOT'])(
  'whichever call fails with %s, the file is old or new and nothing else is left',
  async (code) => {
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
  },
);
