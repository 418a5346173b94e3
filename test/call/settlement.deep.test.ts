import fc from 'fast-check';
import { test } from 'vitest';
import { runs } from '../support/runs.js';
import { schedules, settles } from '../support/settlement.js';

const numRuns = runs(100_000);

test(`each of ${numRuns} turns, aborted at any moment, gives each call its one result, in order`, async () => {
  await fc.assert(fc.asyncProperty(schedules, settles), { numRuns });
}, 1_800_000);
