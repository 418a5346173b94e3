import { expect, test } from 'vitest';
import * as z from 'zod/v4';
import { choice, flag, inputObject, integer, list, text } from '../../src/core/schema/fields.js';
import { eachRow } from '../support/each-row.js';

const rows = [
  [text('', { minLength: 2 }), 'a', 'expected at least 2 characters'],
  [text('', { maxLength: 2 }), 'abc', 'expected at most 2 characters'],
  [text(''), 1, 'expected a string'],
  [integer(''), 1.5, 'expected a whole number'],
  [integer('', { minimum: 1 }), 0, 'expected at least 1'],
  [integer('', { maximum: 1 }), 2, 'expected at most 1'],
  [flag(''), 'yes', 'expected a boolean'],
  [choice(['a', 'b'], ''), 'c', 'expected one of "a", "b"'],
  [list(text(), ''), 'c', 'expected an array'],
] as const;
test('errors are in English for any zod locale', () =>
  eachRow(rows, ([field, value, message]) => {
    const before = z.config().localeError;
    z.config(z.locales.de());
    try {
      expect(inputObject({ field })['~standard'].validate({ field: value })).toMatchObject({ issues: [{ message }] });
    } finally {
      z.config({ localeError: before });
    }
  }));
