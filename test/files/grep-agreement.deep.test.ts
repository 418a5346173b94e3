import { expect, test } from 'vitest';
import { compareEngines } from '../support/agreement.js';
import { runs } from '../support/runs.js';

const queryCount = runs(1_000);
const seed = Number(process.env.TOOLWRIGHT_SEED ?? Math.floor(Math.random() * 1_000_000));

test(`both engines agree with the ripgrep program on ${queryCount} random searches (seed ${seed})`, async () => {
  const { compared, disagreements, withMatches } = await compareEngines(seed, queryCount);
  console.log(`${compared} answers compared, ${withMatches} of ${queryCount} searches with matches, seed ${seed}`);
  expect(disagreements.slice(0, 3)).toEqual([]);
});
