import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FileChanges } from '../../src/files/undo/file-changes.js';
import { callScope } from '../support/call-scope.js';
import { codeOf, undoWorkspace } from '../support/undo-workspace.js';

describe('UndoTurn', () => {
  test('takes back everything of the latest turn, and then of the one before', async () => {
    const { write, edit, beginTurn, undoTurn, text, exists } = undoWorkspace();
    beginTurn();
    await write('a', 'a1');
    beginTurn();
    await write('b', 'b1');
    await edit('a', 'a1', 'a2');
    await edit('a', 'a2', 'a3');
    beginTurn();
    const { metadata } = await undoTurn();
    expect(metadata).toMatchObject({ changes: 3 });
    expect([text('a'), exists('b')]).toEqual(['a1', false]);
    await undoTurn();
    expect(exists('a')).toBe(false);
    expect(await codeOf(undoTurn())).toBe('no_change');
  });

  test('asks for consent to the files of the turn and no others', async () => {
    const { write, beginTurn, tools, at, root } = undoWorkspace();
    const scope = callScope();
    expect(await tools.undoTurn.targetsOf({}, scope)).toEqual([]);
    beginTurn();
    await write('earlier', 'x');
    beginTurn();
    await write('a', 'a1');
    await write('a', 'a2');
    await write('.npmrc', 'x');
    expect(await tools.undoTurn.targetsOf({}, scope)).toEqual(
      ['.npmrc', 'a'].map((name) => ({ kind: 'edit', path: at(name), given: at(name), root, isInside: true })),
    );
    expect(await tools.undoTurn.verdictOf({}, scope)).toMatchObject({ behavior: 'ask' });
    expect(await tools.undoTurn.targetsOf({}, callScope({ caller: { sessionId: 'other' } }))).toEqual([]);
  });

  test('takes back nothing when one of the files has changed since', async () => {
    const { write, beginTurn, undoTurn, text, at } = undoWorkspace();
    beginTurn();
    await write('a', 'a1');
    await write('b', 'b1');
    writeFileSync(at('a'), 'theirs');
    expect(await codeOf(undoTurn())).toBe('file_changed');
    expect([text('a'), text('b')]).toEqual(['theirs', 'b1']);
  });

  test('names the files that stay, and leaves the others to UndoFile', async () => {
    const { write, beginTurn, undoTurn, undoFile, text, exists, at } = undoWorkspace();
    beginTurn();
    await write('a', 'a1');
    await write('b', 'b1');
    writeFileSync(at('a'), 'theirs');
    await expect(undoTurn()).rejects.toThrow(
      `Nothing was undone. ${at('a')} stays: it has changed since. Take back its other files one by one with UndoFile`,
    );
    await undoFile('b');
    expect([text('a'), exists('b')]).toEqual(['theirs', false]);
    expect(await codeOf(undoTurn())).toBe('no_change');
  });

  test('passes a turn over that cannot go back, and reaches the one before', async () => {
    const { write, beginTurn, undoTurn, undoFile, text, exists, at } = undoWorkspace();
    beginTurn();
    await write('one', '1');
    beginTurn();
    await write('two', '2');
    rmSync(at('two'));
    await expect(undoTurn()).rejects.toThrow(
      /it has changed since\. .*UndoTurn, called again, goes on with the turn before\./,
    );
    await undoTurn();
    expect(exists('one')).toBe(false);
    expect(await codeOf(undoTurn())).toBe('no_change');
    writeFileSync(at('two'), '2');
    await undoFile('two');
    expect(exists('two')).toBe(false);
    await write('three', '3');
    expect(text('three')).toBe('3');
    await undoTurn();
    expect(exists('three')).toBe(false);
  });

  test('takes back all changes of a file or none, also where somebody came between two of them', async () => {
    const { write, edit, beginTurn, undoTurn, text, at } = undoWorkspace();
    beginTurn();
    await write('b', 'b1');
    await write('a', 'a1');
    writeFileSync(at('a'), 'theirs');
    await edit('a', 'theirs', 'a2');
    expect(await codeOf(undoTurn())).toBe('file_changed');
    expect([text('a'), text('b')]).toEqual(['a2', 'b1']);
  });

  test.each([
    ['before', ['large', 'small']],
    ['after', ['small', 'large']],
  ])('names a change that was too large for the record, made %s another', async (_when, order) => {
    const { write, beginTurn, undoTurn, exists, at } = undoWorkspace(
      new FileChanges({ limits: { maxUndoChanges: 9, maxUndoBytes: 100 } }),
    );
    beginTurn();
    for (const name of order) {
      const { output } = await write(name, name === 'large' ? 'x'.repeat(200) : 'x');
      expect(output.includes('UndoFile and UndoTurn cannot take it back')).toBe(name === 'large');
    }
    await expect(undoTurn()).rejects.toThrow(`${at('large')} stays: the record of changes had no room for its bytes.`);
    expect([exists('small'), exists('large')]).toEqual([true, true]);
  });

  test('says that the oldest changes of a turn were forgotten', async () => {
    const { write, beginTurn, undoTurn, exists } = undoWorkspace(
      new FileChanges({ limits: { maxUndoChanges: 2, maxUndoBytes: 100 } }),
    );
    beginTurn();
    for (const name of ['a', 'b', 'c']) await write(name, 'x');
    const { output } = await undoTurn();
    expect(output).toContain('the oldest were forgotten and stay');
    expect(['a', 'b', 'c'].map(exists)).toEqual([true, false, false]);
  });
});
