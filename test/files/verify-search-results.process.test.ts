import { expect, test } from 'vitest';
import { searchedFolder } from '../support/search.js';
import { searchRace } from '../support/search-race.js';

test.each([undefined, false] as const)(
  'a folder that is swapped with a link while it is searched shows nothing from outside (ripgrep: %s)',
  async (ripgrep) => expect(await searchRace(ripgrep, 40)).toBeGreaterThan(0),
);

test.each([undefined, false] as const)(
  'the root of the whole disk is searched like any other (ripgrep: %s)',
  async (ripgrep) => {
    const folder = searchedFolder({ 'a.txt': 'needle' }, { roots: ['/'], ripgrep });
    expect((await folder.glob('*.txt', { path: folder.root })).paths).toEqual([folder.at('a.txt')]);
    expect((await folder.grep({ pattern: 'needle', path: folder.root })).lines).toHaveLength(1);
  },
);
