import fc from 'fast-check';
import { afterEach, beforeEach, test, vi } from 'vitest';
import { leavesNothing } from '../support/agent-load.js';
import { keepsLimits, trees } from '../support/agent-trees.js';
import { runs } from '../support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const numRuns = runs(1_000);
const rounds = runs(500);

test(`${numRuns} random trees of agents keep their limits and leave no agent`, async () => {
  await fc.assert(fc.asyncProperty(trees, keepsLimits), { numRuns });
}, 600_000);

test(`${rounds} steered and cancelled agents leave no process, timer, listener or claim`, async () => {
  vi.useRealTimers();
  await leavesNothing(temporaryFolder(), rounds);
}, 600_000);
