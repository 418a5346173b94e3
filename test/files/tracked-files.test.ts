import * as fc from 'fast-check';
import { memoryFiles } from 'toolwright/testing';
import { FileChanges, trackFiles } from 'toolwright/tools';
import { expect, test } from 'vitest';
import { changedSpan } from '../../src/files/undo/file-change.js';
import { toolContext } from '../support/call-scope.js';

test('only the changed span is stored', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 }),
      fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 }),
      (one, two) => {
        const [before, after] = [Buffer.from(one), Buffer.from(two)];
        const { offset, removed, inserted } = changedSpan(before, after);
        const made = Buffer.concat([before.subarray(0, offset), inserted, before.subarray(offset + removed.length)]);
        expect(made.equals(after)).toBe(true);
        if (one === two) expect(removed.length + inserted.length).toBe(0);
      },
    ),
  );
  const large = Buffer.alloc(1_000_000, 'x');
  const changed = Buffer.concat([large.subarray(0, 500_000), Buffer.from('y'), large.subarray(500_001)]);
  expect(changedSpan(large, changed)).toMatchObject({
    offset: 500_000,
    removed: Buffer.from('x'),
    inserted: Buffer.from('y'),
  });
});

test('each change has its file, operation and call', async () => {
  const changes = new FileChanges();
  const files = trackFiles(memoryFiles({ files: { a: 'one two' } }), changes);
  const context = toolContext({ callId: 'call-7' });
  await files.update('/workspace/a', () => ({ slices: [Buffer.from('one 2')] }), context);
  expect(changes.lastOf(context.caller, '/workspace/a')).toMatchObject({
    operation: 'update',
    callId: 'call-7',
    span: { offset: 4, removed: Buffer.from('two'), inserted: Buffer.from('2') },
  });
  await files.remove('/workspace/a', context);
  expect(changes.lastOf(context.caller, '/workspace/a')).toMatchObject({ operation: 'remove', hashAfter: undefined });
  await files.update('/workspace/b', () => ({ slices: [Buffer.from('x')] }), context);
  expect(changes.lastOf(context.caller, '/workspace/b')).toMatchObject({ operation: 'create', hashBefore: undefined });
});

test('a change without effect or a failure is not recorded', async () => {
  const changes = new FileChanges();
  const files = trackFiles(memoryFiles({ files: { a: 'x' } }), changes);
  await files.update('/workspace/a', () => undefined, toolContext());
  await expect(files.update('/workspace/a', () => Promise.reject(new Error('no')), toolContext())).rejects.toThrow(
    'no',
  );
  expect(await files.remove('/workspace/none', toolContext())).toBe(false);
  expect(changes.turnPaths(toolContext().caller)).toEqual([]);
});
