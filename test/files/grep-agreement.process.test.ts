import { expect, test } from 'vitest';
import { compareEngines } from '../support/agreement.js';

test('both engines return the lines of ripgrep on random trees, patterns and flags', async () => {
  const { disagreements, withMatches } = await compareEngines(20_260, 40);
  expect(disagreements.slice(0, 3)).toEqual([]);
  expect(withMatches).toBeGreaterThan(10);
});
