import fc from 'fast-check';
import { expect, test } from 'vitest';
import { table } from '../support/each-row.js';
import { runs } from '../support/runs.js';
import { type Schedule, schedules, settles } from '../support/settlement.js';
import { type Kind, kinds, toolNames } from '../support/settlement-kinds.js';

test('any turn, aborted at any moment, gives each call its one result, in order', async () => {
  await fc.assert(fc.asyncProperty(schedules, settles), { numRuns: runs(5_000) });
}, 600_000);

table(Object.keys(kinds) as Kind[])(
  'a call of each kind comes to what it must, with every tool, whoever decides',
  async (kind) => {
    for (const decider of ['check', 'onAsk'] as const) {
      for (const tool of toolNames) await settles({ ...quiet, kinds: [kind], tools: [tool], decider });
    }
  },
);

test('the model itself goes red on a turn that is not what it says', async () => {
  const wrong = { ...quiet, kinds: ['ok' as Kind], tools: ['Nobody' as never] };
  await expect(settles(wrong)).rejects.toThrow('unknown_tool instead of');
});

const quiet: Schedule = {
  kinds: [],
  tools: [],
  abortAt: 99,
  abortAtMs: Number.POSITIVE_INFINITY,
  concurrency: 10,
  decider: 'check',
  listener: 'listens',
};
