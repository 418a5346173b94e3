import { test } from 'vitest';
import { killRounds } from '../support/kill-rounds.js';

test('a process killed during a write leaves the old or the new content, and no temporary file after the next write', async () => {
  await killRounds(3);
});
