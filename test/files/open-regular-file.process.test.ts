import { expect, test } from 'vitest';
import { race } from '../support/race.js';

test.each(['folder', 'file'] as const)(
  'a %s that is swapped with a link between check and use leads nowhere',
  async (kind) => {
    const { inside, refused } = await race(kind, 300);
    expect(inside).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  },
);
