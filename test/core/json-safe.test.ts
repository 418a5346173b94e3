import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as source from '../../src/core/text/json-safe.js';

const bounds = { maxDepth: 8, maxChars: 1_000, maxItems: 50 };
const same = (text: string) => text;
const jsonSafe = (value: unknown, change: (text: string) => string, within: source.JsonSafeBounds) =>
  source.jsonSafe(value, change, within).copy;

test('plain data stays unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const plain = JSON.parse(JSON.stringify(value));
      expect(JSON.stringify(jsonSafe(plain, same, { maxDepth: 8, maxChars: 1e9, maxItems: 1e9 }))).toBe(
        JSON.stringify(plain),
      );
    }),
  );
});

test('values that JSON cannot represent are converted', () => {
  const hostile = {
    get broken() {
      throw new Error('getter');
    },
  };
  expect(
    jsonSafe(
      {
        hostile,
        nan: Number.NaN,
        big: 1n,
        fn: () => 1,
        sym: Symbol('s'),
        bytes: new Uint8Array(3),
        set: new Set([1]),
        error: new RangeError('r'),
      },
      same,
      bounds,
    ),
  ).toEqual({ hostile: '[unreadable]', nan: null, big: '1', bytes: '[3 bytes]', set: [1], error: 'RangeError: r' });
});

test('every text and key is scrubbed', () =>
  expect(jsonSafe({ a: ['b', { c: 'd' }] }, (text) => text.toUpperCase(), bounds)).toEqual({ A: ['B', { C: 'D' }] }));

test('a number whose digits are changed becomes text, other numbers stay', () => {
  const change = (text: string) => text.replaceAll('493817', '[gone]');
  expect(jsonSafe({ pin: 493817264519, list: [493817, 12.5], big: 493817264519n }, change, bounds)).toEqual({
    pin: '[gone]264519',
    list: ['[gone]', 12.5],
    big: '[gone]264519',
  });
});

test('a value that occurs twice is not a cycle', () => {
  const shared = { x: 1 };
  expect(jsonSafe([shared, shared], same, bounds)).toEqual([{ x: 1 }, { x: 1 }]);
});

test('depth and size are limited', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 20; level++) deep = [deep];
  expect(JSON.stringify(jsonSafe(deep, same, bounds))).toBe('[[[[[[[["[too deep]"]]]]]]]]');
  const large = { text: 'x'.repeat(600), more: 'y'.repeat(600), last: 'z' };
  expect(jsonSafe(large, same, bounds)).toEqual({ ...large, more: '[600 characters omitted]' });
  expect(
    jsonSafe(
      Array.from({ length: 80 }, () => 1),
      same,
      bounds,
    ),
  ).toEqual([...Array.from({ length: 50 }, () => 1), '[30 more items]']);
  const fields = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, 1]));
  expect(jsonSafe({ a: new Map(Object.entries(fields)) }, same, bounds)).toMatchObject({
    a: { f48: 1, '[cut]': '[11 more items]' },
  });
  expect(jsonSafe(new Set(Array.from({ length: 51 }, (_, index) => index)), same, bounds)).toContain('[1 more items]');
  for (const [value, isCut] of [
    [large, true],
    [fields, true],
    [deep, false],
  ]) {
    expect(source.jsonSafe(value, same, bounds).isCut).toBe(isCut);
  }
});

test('an endless list takes bounded time', () =>
  expect(jsonSafe(new Array(4_000_000_000), same, bounds)).toHaveLength(51));

test('a key named __proto__ stays a key', () => {
  const copy = jsonSafe(JSON.parse('{"__proto__":{"a":1}}'), same, bounds) as object;
  expect(Object.keys(copy)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});
