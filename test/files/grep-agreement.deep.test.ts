import { expect, test } from 'vitest';
import { compareEngines } from '../support/agreement.js';
import { runs, seed } from '../support/runs.js';

const queryCount = runs(1_000);

test(`both engines agree with the ripgrep program on ${queryCount} random searches`, async () => {
  const { compared, disagreements, withMatches } = await compareEngines(seed, queryCount);
  console.log(`${compared} answers compared, ${withMatches} of ${queryCount} searches with matches`);
  expect(disagreements.slice(0, 3)).toEqual([]);
});
