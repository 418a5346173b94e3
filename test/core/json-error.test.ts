import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonError } from '../../src/editing/notebook/json-outline.js';
import { table } from '../support/each-row.js';

table([
  ['{"a": 1,}', 8, 'name expected'],
  ['{\n"a": ]}', 7, 'value expected'],
  ['[1 2]', 3, ', or ] expected'],
  ['{"a" 1}', 5, ': expected'],
  ['{"a": 1', 7, ', or } expected'],
  ['[1,]', 3, 'value expected'],
  ['{} x', 3, 'the end expected'],
  ['{a: 1}', 1, 'name or } expected'],
  ["['x']", 1, 'value or ] expected'],
  ['[01]', 2, ', or ] expected'],
  ['["a\nb"]', 3, 'an escape in place of this control character expected'],
  ['', 0, 'value expected'],
])('the place of an error in JSON', (text, position, message) =>
  expect(jsonError(text)).toEqual({ position, message }),
);

test('agrees with the engine on what is JSON', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"\\n"',
    '1',
    '-0.5e3',
    'true',
    'null',
    ' ',
    '\n',
    '01',
    'x',
    '"',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join('')),
      ),
      (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(jsonError(text) === undefined).toBe(isJson);
      },
    ),
    { numRuns: 2_000 },
  );
});
