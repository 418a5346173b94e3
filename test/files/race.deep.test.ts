import { expect, test } from 'vitest';
import { race } from '../support/race.js';
import { runs } from '../support/runs.js';

const rounds = runs(2_000);

test.each(['folder', 'file'] as const)(
  'a %s that is repeatedly swapped for a link between check and use never leads outside',
  async (kind) => {
    const { inside, refused } = await race(kind, rounds);
    console.log(`${kind}: ${inside} done inside, ${refused} refused`);
    expect(inside).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  },
);
