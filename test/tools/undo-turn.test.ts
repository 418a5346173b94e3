import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
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
      ['.npmrc', 'a'].map((name) => ({ kind: 'edit', path: at(name), given: at(name), root })),
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
});
