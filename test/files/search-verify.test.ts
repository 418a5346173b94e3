import { expect, test } from 'vitest';
import { searchRace } from '../support/search-race.js';

test.each([undefined, false] as const)(
  'a folder that is swapped with a link while it is searched shows nothing from outside (ripgrep: %s)',
  async (ripgrep) => {
    expect(await searchRace(ripgrep, 40)).toBeGreaterThan(0);
  },
);
