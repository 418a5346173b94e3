import { expect, test } from 'vitest';
import { race } from '../support/race.js';

const rounds = Number(process.env.TOOLWRIGHT_ROUNDS ?? 2_000);

test.each(['folder', 'file'] as const)(
  'a %s that is swapped with a link between check and use leads nowhere, in thousands of rounds',
  async (kind) => {
    const { inside, refused } = await race(kind, rounds);
    console.log(`${kind}: ${inside} done inside, ${refused} refused`);
    expect(inside).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  },
);
