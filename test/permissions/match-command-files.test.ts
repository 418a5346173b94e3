import { describe, expect, test } from 'vitest';
import { accessNumbers } from '../../src/core/fixed-limits.js';
import { type CommandPlaces, matchCommandFiles } from '../../src/permissions/match-command-files.js';
import type { NamedFile } from '../../src/shell/assess/named-files.js';
import { defaultCommandLimits } from '../../src/shell/parse/command-limits.js';
import { readCommand } from '../../src/shell/parse/read-command.js';
import { eachRow } from '../support/each-row.js';

const repeated = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join('');

/** Matches a line against a rule, and counts the disk accesses. */
function matched(command: string, kind: NamedFile['kind'] = 'read', folder = '/other/private') {
  let lookups = 0;
  const places: CommandPlaces = {
    folders: () => ['/ws'],
    isInside: () => true,
    tracks: () => undefined,
    real: (path) => {
      lookups++;
      return path;
    },
    matched: (_, maxLookups = Number.POSITIVE_INFINITY) => {
      lookups += maxLookups;
      return [];
    },
    holds: () => {
      lookups += accessNumbers.maxLookups / accessNumbers.maxWalks;
      return false;
    },
  };
  const rule = {
    kinds: [kind],
    glob: `${folder}/**`,
    matches: (path: string) => path.startsWith(`${folder}/`),
  };
  return { match: matchCommandFiles(rule, readCommand(command, defaultCommandLimits), places), lookups };
}

const shapes: Readonly<Record<string, (count: number) => string>> = {
  'many files': (count) => `cat${repeated(count, (index) => ` f${index}`)}`,
  'many patterns': (count) => `cat${repeated(count, (index) => ` src/*/*${index}`)}`,
  'many folders': (count) => `cd /other; grep -r x${repeated(count, (index) => ` /other/*/${index}`)}`,
  'many files from many folders': (count) =>
    `${repeated(5, (index) => `cd a${index}; `)}cat${repeated(count, (index) => ` f${index}`)}`,
};

describe('a rule accesses the disk a bounded number of times for one line', () => {
  test('after which the remaining files match possibly', () =>
    eachRow(Object.entries(shapes), ([, shape]) => {
      for (const count of [20, 1_200, 4_800])
        expect(matched(shape(count)).lookups).toBeLessThanOrEqual(4 * accessNumbers.maxLookups);
      expect(matched(shape(4_800)).match).toBe('possible');
    }));

  test('a file that the line names matches, after any number of other files', () => {
    expect(matched('cat a b /other/private/x').match).toBe('yes');
    for (const shape of Object.values(shapes)) expect(matched(`${shape(4_800)} /other/private/x`).match).toBe('yes');
    expect(matched('cat a b c').match).toBe('no');
  });

  test('a line through too many folders matches possibly', () => {
    expect(matched(`${repeated(40, (index) => `cd d${index}; `)}cat x`).match).toBe('possible');
  });
});

test('a deletion changes only files that exist; an archive or a server may create others', () => {
  for (const command of ['rm -r .', 'chmod -R 600 .', 'prettier --write .'])
    expect(matched(command, 'edit', '/ws/private').match).toBe('no');
  for (const command of ['tar xf a', 'unzip a', 'curl -OJ h/x', 'wget -r h', 'tar xf a -C src/..'])
    expect(matched(command, 'edit', '/ws/private').match).toBe('possible');
});
