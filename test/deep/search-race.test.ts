import { expect, test } from 'vitest';
import { searchRace } from '../support/search-race.js';

const rounds = Number(process.env.TOOLWRIGHT_ROUNDS ?? 2_000);

test.each([undefined, false] as const)(
  'a swapped folder shows nothing from outside in thousands of searches (ripgrep: %s)',
  async (ripgrep) => {
    const found = await searchRace(ripgrep, rounds);
    console.log(`${found} lines found inside in ${rounds} rounds`);
    expect(found).toBeGreaterThan(0);
  },
);
