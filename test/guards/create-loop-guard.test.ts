import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import {
  type Footprint,
  type SideEffect,
  Tool,
  type ToolCallResult,
  ToolError,
  type ToolHooks,
} from '../../src/core.js';
import { createLoopGuard, mergeHooks } from '../../src/guards.js';
import { eachRow } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';
import { testToolkit } from '../support/test-toolkit.js';

/** The messages for five calls of a loop, and for five other calls. */
const loop = ['quiet', 'quiet', 'note', 'note', 'denied'];
const quiet = Array(5).fill('quiet');

/** The message of the guard about a call. */
function heardIn([result]: readonly ToolCallResult[]): 'denied' | 'note' | 'quiet' {
  if (result?.ok === false && result.error.code === 'denied_by_hook') return 'denied';
  return result?.additionalContext === undefined ? 'quiet' : 'note';
}

/** A tool that returns the text in its input, for calls under one guard. */
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
    return heardIn(results);
  };
}

async function series(play: (input: object) => Promise<string>, inputs: readonly object[]): Promise<string[]> {
  const answers: string[] = [];
  for (const input of inputs) answers.push(await play(input));
  return answers;
}

/** Reads and changes under one guard: `look` returns the current state, `change` the given text. */
function world(
  guard = createLoopGuard(),
  sideEffects: readonly [look: SideEffect, change: SideEffect] = ['readonly', 'mutating'],
) {
  let sight = 'x';
  const [lookEffect, changeEffect] = sideEffects;
  const look = Tool.define('Look', {
    description: 'Look.',
    input: z.object({}).loose(),
    sideEffect: lookEffect,
    execute: () => sight,
  });
  const change = Tool.define('Change', {
    description: 'Change.',
    input: z.object({ to: z.string(), fail: z.boolean().optional() }),
    sideEffect: changeEffect,
    footprint: () => ({ reads: 'nothing', writes: changeEffect === 'readonly' ? 'nothing' : ['/thing'] }),
    execute: ({ to, fail }) => {
      if (fail === true) throw new Error(to);
      return `changed to ${to}`;
    },
  });
  const call = async (name: string, input: object) => {
    const { results } = await run([look, change], calls([name, input]), { hooks: guard });
    return heardIn(results);
  };
  return {
    look: (input: object = {}) => call('Look', input),
    change: (to: string, fail?: boolean) => call('Change', fail === undefined ? { to } : { to, fail }),
    show: (what: string) => {
      sight = what;
    },
  };
}

describe('the same call with the same result', () => {
  test('first gets a note, then is denied, then may run again', async () => {
    const play = player('Look', createLoopGuard());
    const same = Array.from({ length: 9 }, () => ({ say: 'x' }));
    expect(await series(play, same)).toEqual('quiet quiet note note denied note denied note denied'.split(' '));
  });

  const rows = [
    [1, ['quiet', 'note', 'denied', 'note', 'denied']],
    [2, ['quiet', 'note', 'note', 'denied', 'note']],
    [undefined, loop],
    [Number.POSITIVE_INFINITY, ['quiet', 'quiet', 'quiet', 'quiet', 'quiet']],
  ] as const;
  test('is counted up to the limit', () =>
    eachRow(rows, async ([maxSameCalls, expected]) => {
      const play = player('Look', createLoopGuard({ maxSameCalls }));
      expect(await series(play, Array(5).fill({ say: 'x' }))).toEqual(expected);
    }));

  test('is counted on if a write succeeds again after a failure', async () => {
    let runs = 0;
    const look = tool('Look', () => 'x');
    const build = Tool.define('Build', {
      description: 'Build.',
      input: z.object({}),
      sideEffect: 'mutating',
      footprint: () => ({ reads: 'nothing', writes: ['/thing'] }),
      execute: () => {
        if (++runs % 2 === 0) throw new Error('no');
        return 'built';
      },
    });
    const hooks = createLoopGuard();
    const heard: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      for (const name of ['Look', 'Build']) {
        const { results } = await run([look, build], calls(name), { hooks });
        if (name === 'Look') heard.push(heardIn(results));
      }
    }
    expect(heard).toEqual(['quiet', 'quiet', 'quiet', 'note', 'note']);
  });

  test('has its exact count in the note and the denial', async () => {
    const look = tool('Look', () => 'x');
    const fail = tool('Fail', () => {
      throw new Error('no');
    });
    const hooks = createLoopGuard({ maxFailures: 5 });
    const heard = async (name: string) => {
      const { results } = await run([look, fail], calls(name), { hooks });
      const [result] = results;
      return result?.additionalContext ?? (result?.ok === false ? result.output : '');
    };
    const texts = async (name: string, count: number) => {
      const all: string[] = [];
      for (let index = 0; index < count; index++) all.push(await heard(name));
      return all;
    };
    const looked = await texts('Look', 7);
    expect([looked[2], looked[4], looked[5], looked[6]]).toEqual([
      expect.stringContaining('the same result 3 times.'),
      expect.stringContaining('the same result 4 times with no new write in between'),
      expect.stringContaining('the same result 5 times.'),
      expect.stringContaining('the same result 5 times with no new write in between'),
    ]);
    expect((await texts('Fail', 3))[2]).toContain('failed in the same way 3 times.');
  });

  test('is not counted across sessions or inputs', async () => {
    const play = player('Look', createLoopGuard());
    for (let index = 0; index < 5; index++) expect(await play({ say: 'x' }, `s${index}`)).toBe('quiet');
    for (let index = 0; index < 5; index++) expect(await play({ say: `${index}` })).toBe('quiet');
  });

  test('includes inputs with another order of fields, but not of lists', async () => {
    const { look } = world();
    const one = { a: 1, b: { c: [{ d: 1, e: 2 }], f: 2 } };
    const other = { b: { f: 2, c: [{ e: 2, d: 1 }] }, a: 1 };
    expect(await series(look, [one, other, one, other, one])).toEqual(loop);
    const lists = [{ a: [1, 2] }, { a: [2, 1] }, { a: [1, 2] }, { a: [2, 1] }];
    expect(await series(look, lists)).toEqual(['quiet', 'quiet', 'quiet', 'quiet']);
  });

  const inputs: readonly [string, (round: number) => object, isSame: boolean][] = [
    ['another description of a command', (round) => ({ command: 'cat a', description: `look ${round}` }), true],
    ['another time limit of a command', (round) => ({ command: 'cat a', timeout: 1_000 + round }), true],
    ['a description at times', (round) => ({ command: 'cat a', ...(round % 2 === 0 && { description: 'x' }) }), true],
    ['another command within', (round) => ({ run: [{ command: 'cat a', description: `look ${round}` }] }), true],
    ['another command', (round) => ({ command: `cat ${round}`, description: 'look' }), false],
    ['another folder of a command', (round) => ({ command: 'ls', cwd: `/${round}` }), false],
    ['another description of anything else', (round) => ({ id: 1, description: `ticket ${round}` }), false],
    ['another time limit of anything else', (round) => ({ server: 'a', timeout: round }), false],
  ];
  test('includes inputs that differ only in description or timeout', () =>
    eachRow(inputs, async ([, inputOf, isSame]) => {
      const { look } = world();
      const inputs = Array.from({ length: 5 }, (_each, round) => inputOf(round));
      expect(await series(look, inputs)).toEqual(isSame ? loop : quiet);
    }));

  const checks: readonly [string, readonly [SideEffect, SideEffect]][] = [
    ['looks', ['readonly', 'mutating']],
    ['might change something itself, such as a command', ['blocking', 'mutating']],
  ];
  test('is not a loop if there is a change in between, for read-only and other checks', () =>
    eachRow(checks, async ([, sideEffects]) => {
      const { look, change } = world(createLoopGuard(), sideEffects);
      for (let round = 0; round < 8; round++) {
        expect(await change(`${round}`)).toBe('quiet');
        expect(await look()).toBe('quiet');
      }
    }));

  test('runs if a change comes right before the denial', async () => {
    const { look, change } = world();
    expect(await series(look, Array(4).fill({}))).toEqual(['quiet', 'quiet', 'note', 'note']);
    await change('y');
    expect(await series(look, Array(5).fill({}))).toEqual(loop);
  });

  test('shows a change from outside after at most one denial', async () => {
    const { look, show } = world();
    expect(await series(look, Array(5).fill({}))).toEqual(loop);
    show('y');
    expect(await series(look, Array(3).fill({}))).toEqual(['quiet', 'quiet', 'note']);
  });

  const turns: readonly [string, readonly [SideEffect, SideEffect]][] = [
    ['that only look', ['readonly', 'readonly']],
    ['one of which acts', ['readonly', 'mutating']],
    ['that both act', ['mutating', 'mutating']],
  ];
  test('two calls that alternate are a loop, for any effect', () =>
    eachRow(turns, async ([, sideEffects]) => {
      const { look, change } = world(createLoopGuard(), sideEffects);
      const answers: string[] = [];
      for (let round = 0; round < 7; round++) answers.push(await look(), await change('a'));
      expect(answers.filter((answer) => answer === 'denied').length).toBeGreaterThanOrEqual(2);
    }));

  test('a failed change or a new read does not reset the count', async () => {
    const { look, change } = world();
    const answers: string[] = [];
    for (let round = 0; round < 5; round++) {
      answers.push(await look());
      await change(`${round}`, true);
      await look({ at: round });
    }
    expect(answers).toEqual(loop);
  });

  test('TaskOutput is not counted for a running task, but for an ended one', async () => {
    let state = 'running';
    const poll = Tool.define('TaskOutput', {
      description: 'Ask.',
      input: z.object({}),
      sideEffect: 'readonly',
      execute: () => ({ output: `Status: ${state}`, metadata: { state } }),
    });
    const hooks = createLoopGuard();
    const ask = async () => {
      const { results } = await run([poll], calls('TaskOutput'), { hooks });
      return heardIn(results);
    };
    expect(await series(ask, Array(8).fill({}))).toEqual(Array(8).fill('quiet'));
    state = 'exited';
    expect(await series(ask, Array(5).fill({}))).toEqual(loop);
  });
});

describe('a write resets the count', () => {
  const todos: Footprint = { reads: 'nothing', writes: ['todos'] };
  const command: Footprint = { reads: 'everything', writes: 'everything' };
  const edit = (path: string): Footprint => ({ reads: [path], writes: [path] });

  /** Looks ten times, with a call of `footprint` after each, which is a new one if `isNew`. */
  async function looksBetween(footprint: Footprint, isNew: boolean): Promise<string[]> {
    let count = 0;
    const look = tool('Look', () => 'x', { sideEffect: 'readonly' });
    const act = Tool.define('Act', {
      description: 'Act.',
      input: z.object({ at: z.number() }),
      sideEffect: 'mutating',
      footprint: () => footprint,
      execute: () => `${++count}`,
    });
    const hooks = createLoopGuard();
    const heard: string[] = [];
    for (let at = 0; at < 5; at++) {
      heard.push(heardIn((await run([look, act], calls('Look'), { hooks })).results));
      await run([look, act], calls(['Act', { at: isNew ? at : 0 }]), { hooks });
    }
    return heard;
  }

  const rows: readonly [string, Footprint, isNew: boolean, expected: readonly string[]][] = [
    ['an edit', edit('/a'), true, quiet],
    ['an edit on another system', edit('C:\\a'), true, quiet],
    ['another command each time', command, true, quiet],
    ['todos, which are not files', todos, true, loop],
  ];
  test('if it writes files and runs for the first time', () =>
    eachRow(rows, async ([, footprint, isNew, expected]) =>
      expect(await looksBetween(footprint, isNew)).toEqual(expected),
    ));

  test('but not if the same write was made before', async () => {
    expect(await looksBetween(command, false)).toEqual(['quiet', 'quiet', 'quiet', 'note', 'note']);
  });

  test('also if it failed before', async () => {
    const { look, change } = world();
    await change('y', true);
    await series(look, [{}, {}]);
    await change('y');
    expect(await series(look, Array(5).fill({}))).toEqual(loop);
  });

  test('events without a footprint count as a write of unknown files', async () => {
    const { PreToolUse, PostToolUse, PostToolUseFailure } = createLoopGuard();
    const scope = { caller: { sessionId: 's' }, signal: new AbortController().signal };
    const event = { callId: 'c', tool: 'Edit', input: { file_path: '/a', old_string: 'x', new_string: 'y' } };
    const said: unknown[] = [];
    for (let round = 0; round < 5; round++) {
      said.push(await PreToolUse?.[0]?.hooks?.[0]?.(event, scope));
      said.push(await PostToolUse?.[0]?.hooks?.[0]?.({ ...event, result: { output: 'x' } }, scope));
    }
    expect(said.slice(0, 4)).toEqual([{}, {}, {}, {}]);
    expect(said[8]).toMatchObject({ decision: 'deny' });
    const error = new ToolError('no_match', 'no');
    expect(await PostToolUseFailure?.[0]?.hooks?.[0]?.({ ...event, error }, scope)).toEqual({});
  });
});

test('every repeating sequence of calls is stopped, and no call is denied twice in a row', async () => {
  const step = fc.record({ acts: fc.boolean(), result: fc.constantFrom('x', 'y') });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const { PreToolUse, PostToolUse } = createLoopGuard();
      const scope = { caller: { sessionId: 's' }, signal: new AbortController().signal };
      const denied = steps.map((): boolean[] => []);
      for (let round = 0; round < 12; round++)
        for (const [index, { acts, result: output }] of steps.entries()) {
          const footprint: Footprint = { reads: 'everything', writes: acts ? 'everything' : 'nothing' };
          const event = { callId: 'c', tool: 'Step', input: { index }, footprint };
          const answer = await PreToolUse?.[0]?.hooks?.[0]?.(event, scope);
          denied[index]?.push(answer?.decision === 'deny');
          if (answer?.decision !== 'deny')
            await PostToolUse?.[0]?.hooks?.[0]?.({ ...event, result: { output } }, scope);
        }
      for (const column of denied) {
        expect(column.filter(Boolean).length).toBeGreaterThanOrEqual(2);
        expect(column.some((isDenied, round) => isDenied && column[round + 1] === true)).toBe(false);
      }
    }),
  );
});

test('a tool that fails repeatedly', async () => {
  const play = player('Flaky', createLoopGuard({ maxFailures: 3 }));
  const failures = Array.from({ length: 6 }, (_, index) => ({ fail: `${index}` }));
  expect(await series(play, failures)).toEqual(['quiet', 'quiet', 'note', 'note', 'denied', 'note']);
  expect(
    await series(play, [
      { say: 'denied' },
      { say: 'fine' },
      ...failures.slice(0, 2).map(({ fail }) => ({ fail: `again ${fail}` })),
    ]),
  ).toEqual(['denied', 'quiet', 'quiet', 'quiet']);
});

test('the note about one failure does not mention a row', async () => {
  const fail = tool('Fail', () => {
    throw new Error('no');
  });
  const hooks = createLoopGuard({ maxFailures: 1 });
  const heard: unknown[] = [];
  for (let at = 0; at < 4; at++) {
    const { results } = await run([fail], calls(['Fail', { at }]), { hooks });
    heard.push(results[0]?.additionalContext ?? results[0]?.output);
  }
  expect(heard).toEqual([
    expect.stringContaining('Fail failed once. Stop'),
    expect.any(String),
    expect.stringContaining('Fail failed 2 times in a row; read'),
    expect.stringContaining('Fail failed 3 times in a row. Stop'),
  ]);
});

test('the loop guard works together with hooks of the host', async () => {
  const own: ToolHooks = { PreToolUse: [{ hooks: [() => ({ decision: 'deny' })] }], onHookError: 'allow' };
  const merged = mergeHooks(createLoopGuard(), own);
  expect(merged.onHookError).toBe('deny');
  expect(await player('Look', merged)({ say: 'x' })).toBe('denied');
});

test('each set of merged hooks hears of an end, also after one that throws', async () => {
  const ended: string[] = [];
  const fails = () => {
    throw new Error('own');
  };
  const own: ToolHooks = {
    onAgentEnd: ({ agentId }) => ended.push(`${agentId}`),
    onSessionEnd: (id) => ended.push(id),
  };
  const merged = mergeHooks({ onAgentEnd: fails, onSessionEnd: fails }, own);
  await merged.onAgentEnd?.({ sessionId: 's', agentId: 'a' });
  const toolkit = testToolkit({ hooks: merged });
  await toolkit.call('List', { path: '/' }, { caller: { sessionId: 's' } });
  await expect(toolkit.endSession('s')).rejects.toThrow(AggregateError);
  expect(ended).toEqual(['a', 's']);
  expect(mergeHooks().onHookError).toBe('deny');
});

const mistakes: readonly [unknown, string][] = [
  [{ maxsamecalls: 1 }, 'maxsamecalls is no option. Did you mean "maxSameCalls"?'],
  [{ maxSame: 1 }, 'maxSame is no option'],
  [{ maxSameCalls: Number.NaN }, 'maxSameCalls takes a whole number from 1 up, or Infinity, not NaN'],
  [{ maxSameCalls: -1 }, 'maxSameCalls takes a whole number from 1 up, or Infinity, not -1'],
  [{ maxFailures: 0 }, 'maxFailures takes'],
  [null, 'createLoopGuard takes an object, not null'],
  [[], 'createLoopGuard takes an object, not an empty list'],
];
test('invalid options are rejected by name', () =>
  eachRow(mistakes, ([options, message]) => {
    expect(() => createLoopGuard(options as never)).toThrow(TypeError);
    expect(() => createLoopGuard(options as never)).toThrow(message);
  }));
