import { expect, test } from 'vitest';
import { backtrackingSteps } from '../../src/core/schema/backtracking-steps.js';
import { eachRow } from '../support/each-row.js';

test('the number of steps of a pattern is bounded by its form and the length of the text', () =>
  eachRow<[pattern: string, chars: number, least: number, most: number]>(
    [
      ['^[0-9a-f]{8}-[0-9a-f]{4}$', 36, 13, 20],
      ['^[a-z]+$', 1_000, 1_000, 3_000],
      ['[a-z]+', 1_000, 1_000_000, 3_000_000],
      ['a|^b', 1_000, 1_000, 4_000],
      ['^a|b', 1_000, 1_000, 4_000],
      ['^\\S+@\\S+$', 100, 10_000, 30_000],
      ['^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$', 17, 17, 30],
      ['^(?=.*a)(?=.*b)(?!c)d$', 1_000, 2_000, 5_000],
      ['^(.+)\\1$', 100, 10_000, 30_000],
      ['^(?<year>\\d{4})-\\k<year>$', 100, 100, 120],
      ['^(a+)+$', 40, 1e40, Infinity],
      ['^(a|a)*$', 40, 1e12, Infinity],
      ['^(?:a{1,90}){1,9}$', 40, 1e12, Infinity],
      ['^(?:a?){30}b$', 40, 1e9, Infinity],
      ['^(?i:a)', 40, Infinity, Infinity],
    ],
    ([pattern, chars, least, most]) => {
      expect(backtrackingSteps(pattern, chars)).toBeGreaterThanOrEqual(least);
      expect(backtrackingSteps(pattern, chars)).toBeLessThanOrEqual(most);
    },
  ));
