import { describe, expect, test } from 'vitest';
import { assertOptions, having, kindOf, oneOf, orFalse } from '../../src/core/support/check-values.js';
import type { OptionKind } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';

describe('kinds', () => {
  const named: Readonly<Record<string, OptionKind<unknown>>> = {
    ...kindOf,
    oneOf: oneOf('a', true),
    having: having('x', 'run'),
    orFalse: orFalse(kindOf.list),
  };
  const values: Readonly<Record<string, unknown>> = {
    true: true,
    'the number 1': 1,
    'the text a': 'a',
    'the path /a': '/a',
    'a list of texts': ['a'],
    'a list of paths': ['/a', 'C:\\a'],
    'a list of numbers': [1],
    'texts by name': { A: 'a', B: undefined },
    'a number by name': { A: 1 },
    'an object with run': { run: () => 1 },
    'a function': () => 1,
    'a function with run': Object.assign(() => 1, { run: () => 1 }),
    null: null,
    false: false,
  };
  test('each kind accepts its values only', () =>
    eachRow<[string, readonly string[]]>(
      [
        ['flag', ['true', 'false']],
        ['number', ['the number 1']],
        ['milliseconds', ['the number 1']],
        ['callback', ['a function', 'a function with run']],
        ['list', ['a list of texts', 'a list of paths', 'a list of numbers']],
        ['texts', ['a list of texts', 'a list of paths']],
        ['record', ['texts by name', 'a number by name', 'an object with run']],
        ['textsByName', ['texts by name']],
        ['absolutePath', ['the path /a']],
        ['absolutePaths', ['a list of paths']],
        ['oneOf', ['true', 'the text a']],
        ['having', ['an object with run', 'a function with run']],
        ['orFalse', ['a list of texts', 'a list of paths', 'a list of numbers', 'false']],
        ['anything', Object.keys(values)],
      ],
      ([kind, held]) => expect(Object.keys(values).filter((name) => named[kind]?.holds(values[name]))).toEqual(held),
    ));
});

describe('options', () => {
  const kinds = { depth: kindOf.number, mode: oneOf('fast', 'slow'), key: kindOf.texts, run: kindOf.callback };

  const circular: Record<string, unknown> = {};
  circular.self = circular;

  test('may have valid values, undefined, or be missing', () => {
    expect(() => assertOptions('f', { depth: 1, mode: 'fast', key: undefined }, kinds)).not.toThrow();
    expect(() => assertOptions('f', Object.create({ depth: 1 }), kinds)).not.toThrow();
  });

  test('are rejected otherwise', () =>
    eachRow<[unknown, string]>(
      [
        [{ dept: 1 }, 'f: dept is no option. Did you mean "depth"?'],
        [{ depth: '1' }, 'f: depth takes a number, not "1"'],
        [{ depth: null }, 'f: depth takes a number, not null'],
        [{ mode: Number.NaN }, 'f: mode takes "fast" or "slow", not NaN'],
        [{ mode: Number.POSITIVE_INFINITY }, 'f: mode takes "fast" or "slow", not Infinity'],
        [{ mode: 'quick' }, 'f: mode takes "fast" or "slow", not "quick"'],
        [{ mode: 5n }, 'f: mode takes "fast" or "slow", not a bigint'],
        [{ mode: circular }, 'f: mode takes "fast" or "slow", not an object with self'],
        [{ key: 'secret' }, 'f: key takes a list of texts, not a string'],
        [{ key: [1] }, 'f: key takes a list of texts, not a list of numbers'],
        [{ run: {} }, 'f: run takes a function, not an object with no fields'],
        [[], 'f takes an object, not an empty list'],
        [null, 'f takes an object, not null'],
        ['x', 'f takes an object, not a string'],
        [JSON.parse('{"__proto__":1}'), 'f: __proto__ is no option.'],
        [{ toString: 1 }, 'f: toString is no option.'],
        [Object.create({ depth: '1' }), 'f: depth takes a number, not "1"'],
      ],
      ([options, message]) => expect(() => assertOptions('f', options, kinds)).toThrow(new TypeError(message)),
    ));
});
