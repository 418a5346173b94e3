import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { toJSONSchema } from 'zod/v4/core';
import { choice, flag, inputObject, integer, list, optional, text } from '../../src/tools/input-object.js';

// Each field beside the schema that one would write with the whole of zod.
const fields = [
  ['a text', text('About'), z.string().describe('About')],
  ['a text with bounds', text('About', { minLength: 1, maxLength: 3 }), z.string().min(1).max(3).describe('About')],
  ['a text about which nothing is said', text(), z.string()],
  ['a whole number', integer('About', { minimum: 0, maximum: 2 }), z.number().int().min(0).max(2).describe('About')],
  ['a flag', flag('About'), z.boolean().describe('About')],
  ['a choice', choice(['left', 'right'], 'About'), z.enum(['left', 'right']).describe('About')],
  [
    'a list',
    list(
      inputObject(() => ({ word: text() })),
      'About',
    ),
    z.array(z.object({ word: z.string() })).describe('About'),
  ],
  ['what may be left out', optional(flag('About')), z.boolean().optional().describe('About')],
] as const;

const values = [
  'a',
  '',
  'abcd',
  0,
  1,
  -1,
  1.5,
  3,
  2 ** 60,
  Number.NaN,
  true,
  'left',
  null,
  undefined,
  {},
  [],
  [{ word: 'x', more: 1 }],
  [{ word: 1 }],
];

describe.each(fields)('%s', (_, field, schema) => {
  const [own, usual] = [inputObject(() => ({ field })), z.object({ field: schema })];
  const validate = (schema: typeof own | typeof usual, value: unknown) => schema['~standard'].validate({ field: value, unknown: 1 });

  test('tells a model the same', () => {
    const options = { target: 'draft-7', io: 'input' } as const;
    expect(toJSONSchema(own, options)).toEqual(toJSONSchema(usual, options));
  });

  test.each(values)('takes or refuses the same: %j', (value) => {
    const [ours, theirs] = [validate(own, value), validate(usual, value)] as { issues?: { path: unknown[] }[]; value?: unknown }[];
    expect(ours?.value).toEqual(theirs?.value);
    expect(ours?.issues?.map(({ path }) => path)).toEqual(theirs?.issues?.map(({ path }) => path));
  });
});

test.each([
  [text('', { minLength: 2 }), 'a', 'expected at least 2 characters'],
  [text('', { maxLength: 2 }), 'abc', 'expected at most 2 characters'],
  [text(''), 1, 'expected a string'],
  [integer(''), 1.5, 'expected a whole number'],
  [integer('', { minimum: 1 }), 0, 'expected at least 1'],
  [integer('', { maximum: 1 }), 2, 'expected at most 1'],
  [choice(['a', 'b'], ''), 'c', 'expected one of "a", "b"'],
  [list(text(), ''), 'c', 'expected an array'],
])('what is wrong is said in English, whatever language zod speaks', (field, value, message) => {
  const before = z.config().localeError;
  z.config(z.locales.de());
  try {
    expect(inputObject(() => ({ field }))['~standard'].validate({ field: value })).toMatchObject({ issues: [{ message }] });
  } finally {
    z.config({ localeError: before });
  }
});

test('a condition on the whole names its field, and is asked only where the fields are right', () => {
  const schema = inputObject(() => ({ low: integer(''), high: integer('') }), {
    holds: ({ low, high }) => low <= high,
    path: ['high'],
    message: 'must not be below low',
  });
  const validate = (value: unknown) => schema['~standard'].validate(value);
  expect(validate({ low: 1, high: 2 })).toEqual({ value: { low: 1, high: 2 } });
  expect(validate({ low: 3, high: 2 })).toMatchObject({ issues: [{ path: ['high'], message: 'must not be below low' }] });
  expect(validate({ low: 'x', high: 2 })).toMatchObject({ issues: [{ path: ['low'] }] });
});

test('makes its fields when somebody first looks at them, and once', () => {
  let made = 0;
  const schema = inputObject(() => {
    made++;
    return { field: text() };
  });
  expect(made).toBe(0);
  expect(schema['~standard'].validate({ field: 'a' })).toEqual({ value: { field: 'a' } });
  toJSONSchema(schema);
  expect(made).toBe(1);
});
