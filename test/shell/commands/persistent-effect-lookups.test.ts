import { describe, expect, test } from 'vitest';
import { accessNumbers } from '../../../src/core/fixed-limits.js';
import { assessCommand } from '../../../src/index.js';
import { eachRow } from '../../support/each-row.js';

const { maxLookups, maxWalks } = accessNumbers;

const repeated = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join('');

/** Commands that name a given number of paths. */
const shapes: Readonly<Record<string, (count: number) => string>> = {
  'folders times files': (count) =>
    `${repeated(5, (index) => `cd a${index}; `)}cp${repeated(count, (index) => ` f${index}`)} d`,
  'a folder before each file': (count) => repeated(Math.min(count, 240), (index) => `cd a${index}; cp x y${index}; `),
  'many deep files': (count) => `touch${repeated(count, (index) => ` a/b/c/d/e/f/g/h/i/j${index}`)}`,
  'many files through a redirection each': (count) => repeated(Math.min(count, 480), (index) => `echo x > f${index}; `),
  'the same folder again and again': (count) => `${repeated(Math.min(count, 480), () => 'cd a; ')}cp x y`,
  'many patterns': (count) => `touch${repeated(count, (index) => ` /*/*/*${index}`)}`,
  'a path of many folders': (count) => `cp x ${repeated(count, () => 'a/')}b`,
  'a pattern of many stars': (count) => `cp x ${repeated(count, () => '*a')}`,
};

function lookedUp(command: string) {
  const lookups: string[] = [];
  const count = (path: string) => lookups.push(path) < 0;
  const { reasons } = assessCommand(command, {
    isAutoExecuted: count,
    isInside: (path) => !count(path),
    holdsNoSecrets: count,
  });
  return { lookups: lookups.length, asks: reasons.some(({ category }) => category === 'persistence') };
}

describe('the number of disk accesses for one line is limited, for any names', () => {
  test('for each form of line', () =>
    eachRow(Object.entries(shapes), ([, shape]) => {
      for (const count of [1_200, 4_800]) expect(lookedUp(shape(count)).lookups).toBeLessThanOrEqual(3 * maxLookups);
    }));

  test('and the remaining files are possibly auto-executed', () =>
    eachRow(Object.entries(shapes), ([name, shape]) => {
      const few = ['a path of many folders', 'a pattern of many stars', 'many files through a redirection each'];
      expect(lookedUp(shape(1_200)).asks).toBe(!few.includes(name));
      expect(lookedUp(shape(3)).asks).toBe(false);
    }));

  test('each path is checked once', () =>
    expect(lookedUp('cp x y').lookups).toBe(lookedUp('cp x y; cp x y; cp x y').lookups));

  test('only a few folders of a line are searched', () => {
    const walked: string[] = [];
    const holdsNoSecrets = (path: string) => walked.push(path) > 0;
    assessCommand(`grep -r x${repeated(300, (index) => ` d${index}`)}`, { isInside: () => true, holdsNoSecrets });
    expect(walked.length).toBeLessThanOrEqual(maxWalks);
  });

  test('a read of more files than can be checked asks', () => {
    const read = (count: number) =>
      assessCommand(`cat${repeated(count, (index) => ` f${index}`)}`, { isInside: () => true }).verdict;
    expect([read(maxLookups / 2), read(2 * maxLookups)]).toEqual(['allow', 'ask']);
  });
});
