import fc from 'fast-check';
import { expect, test } from 'vitest';
import { table } from '../support/each-row.js';
import { runs } from '../support/runs.js';
import { type Schedule, schedules, settles } from '../support/settlement.js';
import { type Kind, kinds, toolNames } from '../support/settlement-kinds.js';

test('every call of a random turn gets one result in order, for an abort at any moment', async () => {
  await fc.assert(fc.asyncProperty(schedules, settles), { numRuns: runs(5_000) });
}, 600_000);

table(Object.keys(kinds) as Kind[])(
  'each kind of call has the outcome of the model, for every tool and decider',
  async (kind) => {
    for (const decider of ['check', 'onAsk'] as const) {
      for (const tool of toolNames) await settles({ ...quiet, kinds: [kind], tools: [tool], decider });
    }
  },
);

test('the model rejects a wrong turn', async () => {
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
