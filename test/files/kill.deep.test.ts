import { expect, test } from 'vitest';
import { killRounds } from '../support/kill-rounds.js';
import { runs } from '../support/runs.js';

const rounds = runs(200);

test('a process killed during a write leaves the old or the new content, and no temporary file after the next write', async () => {
  const leftBehind = await killRounds(rounds);
  console.log(`${rounds} kills, ${leftBehind} left a temporary file behind`);
  expect(leftBehind).toBeGreaterThan(0);
});
