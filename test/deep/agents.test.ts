import fc from 'fast-check';
import { afterEach, beforeEach, test, vi } from 'vitest';
import { keepsLimits, trees } from '../support/agent-trees.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const numRuns = 1_000;

test(`${numRuns} random trees of agents stay within their limits and leave nobody`, async () => {
  await fc.assert(fc.asyncProperty(trees, keepsLimits), { numRuns });
}, 600_000);
