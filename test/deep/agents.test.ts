import fc from 'fast-check';
import { afterEach, beforeEach, test, vi } from 'vitest';
import { leavesNothing } from '../support/agent-load.js';
import { keepsLimits, trees } from '../support/agent-trees.js';
import { temporaryFolder } from '../support/temporary-folder.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const numRuns = 1_000;

test(`${numRuns} random trees of agents stay within their limits and leave nobody`, async () => {
  await fc.assert(fc.asyncProperty(trees, keepsLimits), { numRuns });
}, 600_000);

test('500 agents that were steered and cancelled leave no process, timer, listener or claim', async () => {
  vi.useRealTimers();
  await leavesNothing(temporaryFolder(), 500);
}, 600_000);
