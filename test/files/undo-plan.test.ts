import { memoryFiles } from 'toolwright/testing';
import { FileChanges, trackFiles } from 'toolwright/tools';
import { expect, test } from 'vitest';
import { planTurn } from '../../src/files/undo/plan-turn.js';
import { putBack, undoChange } from '../../src/files/undo/revert-change.js';
import { toolContext } from '../support/call-scope.js';

async function turnOf(
  writes: readonly (readonly [name: string, text: string])[],
  theirs: Readonly<Record<string, string>> = {},
) {
  const changes = new FileChanges({ limits: { maxUndoChanges: 99, maxUndoBytes: 50 } });
  const files = memoryFiles();
  const tracked = trackFiles(files, changes);
  const context = toolContext();
  for (const [name, text] of writes)
    await tracked.update(`/workspace/${name}`, () => ({ slices: [Buffer.from(text)] }), context);
  for (const [name, text] of Object.entries(theirs)) files.set(name, text);
  const { stays } = await planTurn(files, changes.lastTurn(context.caller), context);
  return stays.map(({ path, why }) => `${path.slice(11)}: ${why}`);
}

test('all changes can be undone without conflicts', async () => {
  const writes = [
    ['a', '1'],
    ['b', '2'],
    ['a', '3'],
  ] as const;
  expect(await turnOf(writes)).toEqual([]);
});

test('all changes of a file stay if the last one cannot be undone', async () => {
  const writes = [
    ['a', '1'],
    ['b', '2'],
    ['a', '3'],
  ] as const;
  expect(await turnOf(writes, { a: 'theirs' })).toEqual(['a: it has changed since']);
});

test('and if one of them is too large for the record', async () => {
  const writes = [
    ['a', '1'],
    ['b', 'x'.repeat(99)],
    ['b', '2'],
  ] as const;
  expect(await turnOf(writes)).toEqual(['b: its bytes were too large to record']);
});

test('a conflict names what replaced the file', async () => {
  const stays = await turnOf([['a', '1']], { 'a/b': 'theirs' });
  expect(stays[0]).toMatch(/^a: This is a folder, not a file: .*[^.]$/);
});

test('undone changes are restored after a failure', async () => {
  const changes = new FileChanges();
  const files = memoryFiles({ files: { a: 'a0', c: 'c0' } });
  const tracked = trackFiles(files, changes);
  const context = toolContext();
  const set = (name: string, text: string) =>
    tracked.update(`/workspace/${name}`, () => ({ slices: [Buffer.from(text)] }), context);
  await set('a', 'a1');
  await set('b', 'b1');
  await set('a', 'a2');
  await tracked.remove('/workspace/c', context);
  const undone = [];
  for (const change of changes.lastTurn(context.caller)) undone.push(await undoChange(files, change, context));
  expect(['a', 'b', 'c'].map((name) => files.text(name))).toEqual(['a0', undefined, 'c0']);
  await putBack(files, undone, context);
  expect(['a', 'b', 'c'].map((name) => files.text(name))).toEqual(['a2', 'b1', undefined]);
  expect((await planTurn(files, changes.lastTurn(context.caller), context)).stays).toEqual([]);
});
