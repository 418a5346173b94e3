import fc from 'fast-check';
import { afterEach, beforeEach, test, vi } from 'vitest';
import { keepsLimits, trees } from '../support/agent-trees.js';
import { runs } from '../support/runs.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a tree in which every agent starts twenty stops at each limit, for random events', async () => {
  await fc.assert(fc.asyncProperty(trees, keepsLimits), { numRuns: runs(150) });
});
