import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { createLoopGuard, mergeHooks, Tool, type ToolHooks } from '../../src/core.js';
import { calls, run } from '../support/pipeline.js';

/** A tool that answers what its input says, for as many calls as are made under one guard. */
function player(name: string, hooks: ToolHooks) {
  const tool = Tool.define(name, {
    description: 'Plays a part.',
    input: z.object({ say: z.string().optional(), fail: z.string().optional() }).loose(),
    sideEffect: 'none',
    execute: ({ say, fail }) => {
      if (fail !== undefined) throw new Error(fail);
      return say ?? '';
    },
  });
  return async (input: object, sessionId = 's') => {
    const { results } = await run([tool], calls([name, input]), { hooks, caller: { sessionId } });
    const [result] = results;
    return result?.ok === false && result.error.code === 'denied_by_hook'
      ? 'denied'
      : result?.additionalContext === undefined
        ? 'quiet'
        : 'note';
  };
}

async function series(play: (input: object) => Promise<string>, inputs: readonly object[]): Promise<string[]> {
  const answers: string[] = [];
  for (const input of inputs) answers.push(await play(input));
  return answers;
}

describe('the same call with the same result', () => {
  test('first a note, then a denial', async () => {
    const play = player('Look', createLoopGuard());
    const same = Array.from({ length: 5 }, () => ({ say: 'x' }));
    expect(await series(play, same)).toEqual(['quiet', 'quiet', 'note', 'quiet', 'denied']);
  });

  test('another session does not count, nor does another input', async () => {
    const play = player('Look', createLoopGuard());
    for (let index = 0; index < 5; index++) expect(await play({ say: 'x' }, `s${index}`)).toBe('quiet');
    for (let index = 0; index < 5; index++) expect(await play({ say: `${index}` })).toBe('quiet');
  });
});

test('edits that undo each other', async () => {
  const play = player('Edit', createLoopGuard());
  const there = { file_path: '/a', old_string: 'x', new_string: 'y' };
  const back = { file_path: '/a', old_string: 'y', new_string: 'x' };
  const inputs = [there, back, there, back, there].map((edit, index) => ({ ...edit, say: `${index}` }));
  expect(await series(play, inputs)).toEqual(['quiet', 'quiet', 'note', 'denied', 'quiet']);
});

test('a tool that fails over and over', async () => {
  const play = player('Flaky', createLoopGuard({ maxFailures: 3 }));
  const failures = Array.from({ length: 6 }, (_, index) => ({ fail: `${index}` }));
  expect(await series(play, failures)).toEqual(['quiet', 'quiet', 'note', 'quiet', 'denied', 'note']);
  expect(await series(play, [{ say: 'fine' }, ...failures.slice(0, 2).map(({ fail }) => ({ fail: `again ${fail}` }))])).toEqual([
    'quiet',
    'quiet',
    'quiet',
  ]);
});

test('agents started in a rush, until the window has passed', async () => {
  let time = 0;
  const play = player('Agent', createLoopGuard({ maxSpawns: 2, spawnWindowMs: 100, now: () => time }));
  const spawn = (index: number) => ({ say: `${index}` });
  expect(await series(play, [0, 1, 2, 3].map(spawn))).toEqual(['quiet', 'note', 'quiet', 'denied']);
  time = 101;
  expect(await play(spawn(4))).toBe('quiet');
});

test('stands beside hooks of the host', async () => {
  const own: ToolHooks = { PreToolUse: [{ hooks: [() => ({ decision: 'deny' })] }], onHookError: 'allow' };
  const merged = mergeHooks(createLoopGuard(), own);
  expect(merged.onHookError).toBe('deny');
  expect(await player('Look', merged)({ say: 'x' })).toBe('denied');
});
