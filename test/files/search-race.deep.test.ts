import { expect, test } from 'vitest';
import { runs } from '../support/runs.js';
import { searchRace } from '../support/search-race.js';

const rounds = runs(2_000);

test.each([undefined, false] as const)(
  'repeated searches below a swapped folder show nothing outside (ripgrep: %s)',
  async (ripgrep) => {
    const found = await searchRace(ripgrep, rounds);
    console.log(`${found} lines found inside in ${rounds} rounds`);
    expect(found).toBeGreaterThan(0);
  },
);
