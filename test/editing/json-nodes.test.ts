import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonError, jsonTree, memberOf, membersOf, nameOf, valueAt } from '../../src/editing/notebook/json-nodes.js';
import { table } from '../support/each-row.js';
import { runs } from '../support/runs.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const piece = fc.constantFrom(
  ...'{}[],:"\\0 1 -1 1.0 1e5 1E+5 -0 01 1. .5 +1 1e - true false null tru nullx "" "a" "\\u00e9" "\\/" "\\x" "\\u12" "\t" "é" {} [] {"a":1} [1] // /**/'.split(
    ' ',
  ),
  ' ',
  '\n',
  '\f',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '"\u0000"',
);

test('the checker accepts exactly the texts that JSON.parse accepts', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      expect(jsonError(text) === undefined).toBe(isJson(text));
    }),
    { numRuns: runs(5_000) },
  );
});

test('a removed, added or changed character is detected as by JSON.parse', () => {
  const change = fc.tuple(fc.nat(), fc.nat(1), fc.constantFrom('', '"', ',', '}', ']', '\\', '0', '.', ':', '\n'));
  fc.assert(
    fc.property(fc.jsonValue(), change, (value, [at, length, put]) => {
      const text = JSON.stringify(value);
      const place = at % (text.length + 1);
      const changed = text.slice(0, place) + put + text.slice(place + length);
      expect(jsonError(changed) === undefined).toBe(isJson(changed));
    }),
    { numRuns: runs(3_000) },
  );
});

table([
  ['', 1, 1, 'value expected'],
  ['{\n"a": ]}', 2, 6, 'value expected'],
  ['[1\r\n 2]', 2, 2, 'comma expected'],
  ['{"a" 1}', 1, 6, 'colon expected'],
  ['{"a": 1', 1, 8, 'close brace expected'],
  ['{"a":1,}', 1, 8, 'property name expected'],
  ['[1,]', 1, 4, 'value expected'],
  ['1 2', 1, 3, 'end of file expected'],
  ['["ab', 1, 2, 'unexpected end of string'],
  ['["\\q"]', 1, 2, 'invalid escape character'],
  ['NaN', 1, 1, 'invalid symbol'],
  ['[ // c\n]', 1, 3, 'invalid comment token'],
])('the position of an error in JSON is reported', (text, line, column, message) =>
  expect(jsonError(text)).toEqual({ line, column, message }),
);

test('comments and trailing commas are accepted on request', () => {
  expect(jsonError('{ // c\n "a": [1, /* d */ ], }', { comments: true })).toBeUndefined();
  expect(jsonError('{ // c\n "a": , }', { comments: true })).toMatchObject({ line: 2, message: 'value expected' });
});

test('nesting is limited, closed or not', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const error = { line: 1, column: 1_001, message: 'at most 1000 levels of nesting expected' };
  expect(jsonError(nested(1_000))).toBeUndefined();
  expect(jsonError(nested(1_001))).toEqual(error);
  expect(jsonError('['.repeat(200_000))).toEqual(error);
  expect(jsonError('{"a":'.repeat(200_000))).toMatchObject({ message: error.message });
  expect(jsonError(`[${'[],'.repeat(5_000)}[]]`)).toBeUndefined();
});

test('of a duplicate key, also with escapes, the last one counts', () => {
  const root = jsonTree('{"id": 1, "\\u0069d": 2, "__proto__": 3}');
  expect(membersOf(root).map(nameOf)).toEqual(['id', 'id', '__proto__']);
  expect(memberOf(root, 'id')).toBe(membersOf(root)[1]);
  expect(valueAt(root, 'id')?.value).toBe(2);
  expect(valueAt(root, 'id', 'x')).toBeUndefined();
});
