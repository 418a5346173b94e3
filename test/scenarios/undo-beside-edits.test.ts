import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileClaims } from '../../src/guards.js';
import type { ToolkitOptions } from '../../src/index.js';
import { table } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

type Step = readonly [name: 'Write' | 'Edit' | 'UndoFile' | 'UndoTurn', file?: string, from?: string, to?: string];

function workspace(options: Partial<ToolkitOptions> = {}) {
  const root = temporaryFolder();
  const toolkit = testToolkit({ root, permissions: 'bypassPermissions', features: { undo: true }, ...options });
  const inputOf = ([name, file = '', from = '', to = '']: Step) => {
    if (name === 'UndoTurn') return {};
    const file_path = join(root, file);
    return name === 'Write'
      ? { file_path, content: from }
      : name === 'Edit'
        ? { file_path, old_string: from, new_string: to }
        : { file_path };
  };
  return {
    text: (name: string) => readFileSync(join(root, name), 'utf8'),
    put: (name: string, text: string) => writeFileSync(join(root, name), text),
    async turn(steps: readonly Step[], agentId = 'main') {
      const calls = steps.map((step, index) => ({ id: `c${index}`, name: step[0], input: inputOf(step) }));
      const { results } = await toolkit.execute(calls, { caller: { sessionId: 's', agentId } });
      return results.map((result) => (result.ok ? 'ok' : result.error.code));
    },
  };
}

table<[string, readonly Step[], string, string]>([
  [
    'a file undone between two edits of it',
    [
      ['Edit', 'a', 'one', 'two'],
      ['UndoFile', 'a'],
      ['Edit', 'a', 'one', 'three'],
    ],
    'three',
    'bee',
  ],
  [
    'a file undone twice in one turn',
    [
      ['Edit', 'a', 'one', 'two'],
      ['Edit', 'a', 'two', 'three'],
      ['UndoFile', 'a'],
      ['UndoFile', 'a'],
    ],
    'one',
    'bee',
  ],
  [
    'the turn itself undone behind its edits',
    [['Edit', 'a', 'one', 'two'], ['Edit', 'b', 'bee', 'wasp'], ['UndoTurn']],
    'one',
    'bee',
  ],
  [
    'edits behind an undone turn',
    [['Edit', 'a', 'one', 'two'], ['UndoTurn'], ['Edit', 'a', 'one', 'three'], ['Edit', 'b', 'bee', 'wasp']],
    'three',
    'wasp',
  ],
])('calls of one turn run in sequence', async (_, steps, a, b) => {
  for (let round = 0; round < 5; round++) {
    const { put, text, turn } = workspace();
    put('a', 'one');
    put('b', 'bee');
    expect(await turn(steps)).toEqual(steps.map(() => 'ok'));
    expect([text('a'), text('b')]).toEqual([a, b]);
  }
});

test('an undo claims files like an edit', async () => {
  const claims = createFileClaims();
  const { turn, text } = workspace({ hooks: claims.hooks });
  await turn([['Write', 'a', 'of ann']], 'ann');
  expect(await turn([['UndoFile', 'a']], 'bob')).toEqual(['denied_by_hook']);
  expect(await turn([['UndoTurn']], 'bob')).toEqual(['denied_by_hook']);
  expect(text('a')).toBe('of ann');
  expect(await turn([['UndoTurn']], 'ann')).toEqual(['ok']);
  claims.release({ sessionId: 's', agentId: 'ann' });
  await turn([['Write', 'b', 'of ann']], 'ann');
  claims.release({ sessionId: 's', agentId: 'ann' });
  expect(await turn([['UndoFile', 'b']], 'bob')).toEqual(['ok']);
  expect(await turn([['Write', 'b', 'of ann']], 'ann')).toEqual(['denied_by_hook']);
});
