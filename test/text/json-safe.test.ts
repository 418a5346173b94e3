import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonSafe } from '../../src/text/json-safe.js';

const bounds = { maxDepth: 8, maxChars: 1_000 };
const same = (text: string) => text;

test('plain data stays as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const plain = JSON.parse(JSON.stringify(value));
      expect(JSON.stringify(jsonSafe(plain, same, { maxDepth: 8, maxChars: 1e9 }))).toBe(JSON.stringify(plain));
    }),
  );
});

test('what JSON cannot hold becomes something it can', () => {
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

test('every text and key is changed', () => {
  expect(jsonSafe({ a: ['b', { c: 'd' }] }, (text) => text.toUpperCase(), bounds)).toEqual({ A: ['B', { C: 'D' }] });
});

test('a number whose digits are changed becomes the changed text, another stays a number', () => {
  const change = (text: string) => text.replaceAll('493817', '[gone]');
  expect(jsonSafe({ pin: 493817264519, list: [493817, 12.5], big: 493817264519n }, change, bounds)).toEqual({
    pin: '[gone]264519',
    list: ['[gone]', 12.5],
    big: '[gone]264519',
  });
});

test('a value that stands twice is no circle', () => {
  const shared = { x: 1 };
  expect(jsonSafe([shared, shared], same, bounds)).toEqual([{ x: 1 }, { x: 1 }]);
});

test('depth and size are bounded', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 20; level++) deep = [deep];
  expect(JSON.stringify(jsonSafe(deep, same, bounds))).toBe('[[[[[[[["[too deep]"]]]]]]]]');
  expect(jsonSafe('x'.repeat(2_000), same, bounds)).toBeUndefined();
});

test('a key named __proto__ stays a key', () => {
  const copy = jsonSafe(JSON.parse('{"__proto__":{"a":1}}'), same, bounds) as object;
  expect(Object.keys(copy)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});
