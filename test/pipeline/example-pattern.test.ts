import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { patternCost } from '../../src/pipeline/example-pattern.js';

describe('what a pattern may cost', () => {
  test.each([
    '^[a-z]+$',
    '^\\d{3}-\\d{4}$',
    '^v?\\d+\\.\\d+\\.\\d+(-\\w+)?$',
    '^(foo|bar)$',
    '^(?:\\d{2}:){2}\\d{2}$',
    '^(?<year>\\d{4})-(?<month>\\d\\d)$',
    '^[^\\]()*+]+$',
    '^\\(\\*+\\)$',
    '^(a|b){3}$',
    '^(?=.*\\d)(?!.*\\s).{8,}$',
  ])('%s is little', (pattern) => {
    expect(patternCost(pattern, 20)).toBeLessThan(1_500_000);
  });

  test.each([
    '^(a+)+$',
    '^(a*)*$',
    '^(a|b)*$',
    '^(a|a)+$',
    '^(\\w|\\w\\w){20}$',
    '^(a{1,3}){2,}$',
    '^((a?)b)+$',
    '^(?:(?:x+)y)*$',
    '(?=(a+)+$)',
    '\\w*\\w*\\w*\\w*\\w*\\w*\\w*!',
    'a?'.repeat(40),
    '(a|b)'.repeat(40),
    '('.repeat(5_000),
    'a)',
  ])('%s is nobody knows how much', (pattern) => {
    expect(patternCost(pattern, 20)).toBe(Number.POSITIVE_INFINITY);
  });

  test.each([z.email(), z.ipv4(), z.ipv6(), z.cidrv6(), z.base64(), z.iso.date()])(
    'of a format of the schema library is little: %#',
    (schema) => {
      const { pattern } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
      expect(patternCost(pattern ?? '(', 20)).toBeLessThan(1_500_000);
    },
  );

  test('of any text is found without a throw, and never nothing', () => {
    const piece = fc.constantFrom('(', ')', '[', ']', '|', '*', '+', '?', '{2}', '{2,}', '\\', 'a', '(?:', '(?=', '(?<n>', '^', '$');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(100), (pieces, chars) => {
        expect(patternCost(pieces.join(''), chars)).toBeGreaterThan(0);
      }),
    );
  });

  test('is never less than what a short pattern needs', () => {
    const piece = fc.constantFrom('a', '\\w', 'a?', 'a*', 'a+?', '(a|a)', '(?:a|aa)', '(a{1,3})', '(a|aa){2}', '(?:aa)+', '(?=a*)');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 7 }), (pieces) => {
        const pattern = `^${pieces.join('')}!$`;
        const began = performance.now();
        if (patternCost(pattern, 20) < Number.POSITIVE_INFINITY) new RegExp(pattern, 'u').test('a'.repeat(20));
        expect(performance.now() - began).toBeLessThan(500);
      }),
    );
  });
});
