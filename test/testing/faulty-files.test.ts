import { defaultLimits } from 'toolwright';
import { ReadLedger } from 'toolwright/files';
import { faultyFiles, memoryFiles } from 'toolwright/testing';
import { editTool, readTool, writeTool } from 'toolwright/tools';
import { expect, test } from 'vitest';
import type { FileOperation } from '../../src/testing/index.js';
import { toolContext } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';

function toolsOn(operation: FileOperation, code: string) {
  const memory = memoryFiles({ files: { a: 'old\n' } });
  const files = faultyFiles(memory, (request) => (request.operation === operation ? code : undefined));
  const dependencies = { files, ledger: new ReadLedger(), limits: defaultLimits.write };
  const file_path = '/workspace/a';
  const calls = {
    Read: () => readTool({ ...dependencies, limits: defaultLimits.read }).execute({ file_path }, toolContext()),
    Write: () => writeTool(dependencies).execute({ file_path, content: 'new' }, toolContext()),
    Edit: () => editTool(dependencies).execute({ file_path, old_string: 'old', new_string: 'new' }, toolContext()),
  };
  return { memory, calls };
}

const failures = [
  ['Write', 'update', 'ENOSPC', 'storage_failed'],
  ['Write', 'update', 'EDQUOT', 'storage_failed'],
  ['Edit', 'update', 'EIO', 'storage_failed'],
  ['Edit', 'update', 'EROFS', 'storage_failed'],
  ['Edit', 'update', 'EACCES', 'storage_failed'],
  ['Read', 'read', 'EIO', 'storage_failed'],
  ['Read', 'open', 'EMFILE', 'storage_failed'],
  ['Read', 'open', 'ENXIO', 'not_a_file'],
  ['Read', 'open', 'EWHATEVER', 'storage_failed'],
] as const;
test('a failure has its code and the path, and the old content stays', () =>
  eachRow(failures, async ([tool, operation, systemCode, code]) => {
    const { memory, calls } = toolsOn(operation, systemCode);
    await expect(calls[tool]()).rejects.toMatchObject({ code, message: expect.stringContaining('/workspace/a') });
    expect(memory.text('a')).toBe('old\n');
  }));

test('requests are counted, and others work', async () => {
  const numbers: number[] = [];
  const files = faultyFiles(memoryFiles({ files: { a: 'x' } }), ({ number }) => {
    numbers.push(number);
    return undefined;
  });
  await files.stat('/workspace/a', toolContext());
  await files.list('/workspace', toolContext());
  expect(await files.remove('/workspace/a', toolContext())).toBe(true);
  expect(numbers).toEqual([1, 2, 3]);
});
