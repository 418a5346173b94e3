import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAllowedDirectory, workingDirectory } from '../../src/shell/run/start-process.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function place() {
  const base = temporaryFolder();
  for (const folder of ['work/sub', 'work-evil', 'extra']) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, 'work/file'), '');
  symlinkSync(join(base, 'work-evil'), join(base, 'work/out'));
  symlinkSync(join(base, 'work/sub'), join(base, 'work/in'));
  const at = (path: string) => join(base, path);
  return { at, roots: [at('work'), at('extra')] };
}

const allowed = [
  [undefined, 'work'],
  ['work', 'work'],
  ['work/sub', 'work/sub'],
  ['work/sub/../sub', 'work/sub'],
  ['work/in', 'work/sub'],
  ['extra', 'extra'],
] as const;
test('a folder inside is allowed and canonical', () =>
  eachRow(allowed, ([path, real]) => {
    const { at, roots } = place();
    expect(workingDirectory(path === undefined ? undefined : at(path), roots)).toBe(at(real));
  }));

const refused = [
  ['work-evil', 'path_outside_root'],
  ['work/out', 'path_outside_root'],
  ['work/../work-evil', 'path_outside_root'],
  ['.', 'path_outside_root'],
  ['work/gone', 'execution_failed'],
  ['work/file', 'execution_failed'],
] as const;
test('a path outside or a file is refused', () =>
  eachRow(refused, ([path, code]) => {
    const { at, roots } = place();
    expect(() => workingDirectory(at(path), roots)).toThrow(expect.objectContaining({ code }));
    expect(isAllowedDirectory(at(path), roots)).toBe(false);
  }));

test('the root of the disk contains everything', () => expect(workingDirectory('/usr', ['/'])).toBe('/usr'));
