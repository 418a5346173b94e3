import { expect, test } from 'vitest';
import { trackFiles } from '../../src/files/tracked-files.js';
import { FileChanges } from '../../src/files/undo/file-changes.js';
import { planUndo } from '../../src/files/undo/undo-plan.js';
import { memoryFiles } from '../../src/testing/memory-files.js';
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
  const { back, stays } = await planUndo(files, changes.lastTurn(context.caller), context);
  return {
    back: back.map(({ path }) => path.slice(11)),
    stays: stays.map(({ path, why }) => `${path.slice(11)}: ${why}`),
  };
}

test('all goes back, newest first, where nothing is in the way', async () => {
  const writes = [
    ['a', '1'],
    ['b', '2'],
    ['a', '3'],
  ] as const;
  expect(await turnOf(writes)).toEqual({ back: ['a', 'b', 'a'], stays: [] });
});

test('all changes of a file stay where the last cannot go back', async () => {
  const writes = [
    ['a', '1'],
    ['b', '2'],
    ['a', '3'],
  ] as const;
  expect(await turnOf(writes, { a: 'theirs' })).toEqual({ back: ['b'], stays: ['a: it has changed since'] });
});

test('and where one of them is too large for the record', async () => {
  const writes = [
    ['a', '1'],
    ['b', 'x'.repeat(99)],
    ['b', '2'],
  ] as const;
  expect(await turnOf(writes)).toEqual({ back: ['a'], stays: ['b: the record of changes had no room for its bytes'] });
});

test('a place that something else took tells what it is', async () => {
  const { back, stays } = await turnOf([['a', '1']], { 'a/b': 'theirs' });
  expect(back).toEqual([]);
  expect(stays[0]).toMatch(/^a: This is a folder, not a file: .*[^.]$/);
});
