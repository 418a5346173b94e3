import { fakeTimers } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { createToolkit } from '../../src/index.js';
import { table } from '../support/each-row.js';
import { calls, never, run, tool } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';

table([
  ['the turn where it is shortest', 10, 20, 30, 10],
  ['the tool where that is shorter than the turn', 20, 10, 30, 10],
  ['the limit where the tool has none and the turn is longer', 20, undefined, 10, 10],
  ['the turn where the tool waits for ever', 10, 0, 5, 10],
  ['the tool where the turn has none', 0, 10, 5, 10],
  ['the tool where the turn does not say', undefined, 10, 5, 10],
])(
  'the time limit of a call is the shorter one of its turn and its tool, otherwise the default limit',
  async (_, turnMs, toolMs, limitMs, wantedMs) => {
    const timers = fakeTimers();
    const slow = tool('Slow', () => never, toolMs === undefined ? {} : { timeoutMs: toolMs });
    const running = run([slow], calls('Slow'), { timers, timeoutMs: turnMs, limits: { call: { timeoutMs: limitMs } } });
    await timers.advance(1_000);
    const { results } = await running;
    expect(results).toMatchObject([{ error: { code: 'timeout' } }]);
    expect(results[0]?.output).toContain(`longer than ${wantedMs} ms`);
  },
);

test('a call cannot set its own time limit, and an invalid limit is rejected', async () => {
  const timers = fakeTimers();
  const quick = tool('Quick', () => new Promise((resolve) => timers.set(() => resolve('done'), 100)));
  const running = run([quick], [{ id: 'a', name: 'Quick', input: {}, timeoutMs: 1 } as never], { timers });
  await timers.advance(200);
  expect((await running).results).toMatchObject([{ ok: true }]);
  await using toolkit = createToolkit({ root: temporaryFolder() });
  await expect(toolkit.execute([], { timeoutMs: -1 })).rejects.toThrow(/execute: timeoutMs takes a number from 0 up/);
});
