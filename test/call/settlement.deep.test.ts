import fc from 'fast-check';
import { test } from 'vitest';
import { runs } from '../support/runs.js';
import { schedules, settles } from '../support/settlement.js';

const numRuns = runs(100_000);

test(`in ${numRuns} random turns every call gets one result in order, for an abort at any moment`, async () => {
  await fc.assert(fc.asyncProperty(schedules, settles), { numRuns });
}, 1_800_000);
