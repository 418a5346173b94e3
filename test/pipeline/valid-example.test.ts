import { isAbsolute } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/v4';
import { inputSchema, type SchemaLike } from '../../src/core/schema.js';
import { Tool } from '../../src/core.js';
import { validExample } from '../../src/pipeline/valid-example.js';
import { calls, run } from '../support/pipeline.js';

const holding = (schema: object, more: object = {}) => ({ type: 'object', properties: { v: schema }, required: ['v'], ...more });

function shown(schema: unknown): unknown {
  const text = validExample(inputSchema('T', schema as SchemaLike));
  return text === undefined ? undefined : JSON.parse(text);
}

const point = { type: 'object', properties: { x: { type: 'integer', minimum: 5 } }, required: ['x'] };

/** Schemas of a field for which there is an example, in JSON Schema. */
const plain: readonly (readonly [string, object])[] = [
  ['a text', { type: 'string' }],
  ['anything', {}],
  ['a long text', { type: 'string', minLength: 5 }],
  ['a very long text', { type: 'string', minLength: 300, maxLength: 300 }],
  ['no text', { type: 'string', maxLength: 0 }],
  ['a short text', { type: 'string', minLength: 2, maxLength: 3 }],
  ['letters', { type: 'string', pattern: '^[a-z]+$' }],
  ['digits', { type: 'string', pattern: '^\\d+$' }],
  ['capitals and a number', { type: 'string', pattern: '^[A-Z]+-\\d+$' }],
  ['many letters', { type: 'string', pattern: '^[a-z]+$', minLength: 10 }],
  ['a version', { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' }],
  ['a number', { type: 'integer', minimum: 100 }],
  ['a small number', { type: 'number', maximum: -3.5 }],
  ['a number above', { type: 'integer', exclusiveMinimum: 7 }],
  ['a number below', { type: 'number', exclusiveMaximum: 0 }],
  ['a number between', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
  ['a whole number between', { type: 'integer', exclusiveMinimum: 4, exclusiveMaximum: 6 }],
  ['a multiple', { type: 'integer', multipleOf: 7 }],
  ['a multiple above', { type: 'integer', multipleOf: 7, minimum: 50 }],
  ['a multiple that is no whole number', { type: 'number', multipleOf: 0.5, exclusiveMinimum: 3 }],
  ['a list', { type: 'array', items: { type: 'string' } }],
  ['a list of some', { type: 'array', items: { type: 'string' }, minItems: 3 }],
  ['a list of several kinds', { type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true }],
  ['a list of several texts', { type: 'array', items: { type: 'string' }, minItems: 3, uniqueItems: true }],
  ['a list of several words', { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 2, uniqueItems: true }],
  ['an empty list', { type: 'array', items: { type: 'string' }, maxItems: 0 }],
  ['a list with one of a kind', { type: 'array', contains: { const: 7 } }],
  ['a list with two of a kind', { type: 'array', contains: { const: 7 }, minContains: 2, items: { type: 'integer' }, minItems: 3 }],
  ['a list that may end in a kind', { type: 'array', contains: { const: 7 }, minContains: 0 }],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false, minItems: 2 }],
  ['a tuple of draft 7', { type: 'array', items: [{ type: 'integer' }, { type: 'string' }], additionalItems: false, minItems: 2 }],
  ['an object', { type: 'object', properties: { a: { type: 'boolean' }, b: { minLength: 3, type: 'string' } }, required: ['a', 'b'] }],
  ['a field of nobody', { type: 'object', required: ['a'], additionalProperties: { type: 'integer', minimum: 3 } }],
  ['a value', { const: 'z' }],
  ['one of some', { enum: ['x', 'y'] }],
  ['one with an example', { type: 'string', pattern: '^Q\\d{7}$', examples: ['Q1234567'] }],
  ['one with a default', { type: 'string', pattern: '^Q\\d{7}$', default: 'Q1234567' }],
  ['null or a number', { type: ['null', 'integer'], minimum: 4 }],
  ['null', { type: 'null' }],
  ['a choice', { anyOf: [point, { type: 'string' }] }],
  ['exactly one', { oneOf: [{ type: 'string', minLength: 4 }, { type: 'null' }] }],
  ['all of some', { allOf: [{ type: 'integer' }, { minimum: 3 }, { multipleOf: 5 }] }],
  ['objects together', { allOf: [point, { properties: { y: { type: 'string' } }, required: ['y'] }] }],
  ['a choice of demands', { type: 'object', properties: { a: { type: 'integer' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
  ['a reference', { $ref: '#/$defs/point' }],
  ['a list of references', { type: 'array', items: { $ref: '#/$defs/point' } }],
  ['one without a type', { minimum: 4 }],
  ['a list without a type', { items: { type: 'boolean' }, minItems: 1 }],
  ['an email address', { type: 'string', format: 'email' }],
];

/** The same in zod, which checks formats as well. */
const zod: readonly (readonly [string, z.ZodType])[] = [
  ['email', z.email()],
  ['email as text', z.string().email()],
  ['url', z.url()],
  ['uuid', z.uuid()],
  ['guid', z.guid()],
  ['date', z.iso.date()],
  ['datetime', z.iso.datetime()],
  ['time', z.iso.time()],
  ['duration', z.iso.duration()],
  ['ipv4', z.ipv4()],
  ['ipv6', z.ipv6()],
  ['cidr', z.cidrv4()],
  ['base64', z.base64()],
  ['phone number', z.e164()],
  ['pattern', z.string().regex(/^\d+$/)],
  ['start', z.string().startsWith('a')],
  ['least', z.string().min(3)],
  ['exact', z.string().length(12)],
  ['number', z.number().min(50)],
  ['negative', z.int().negative()],
  ['positive', z.number().positive()],
  ['between', z.number().gt(0).lt(1)],
  ['multiple', z.number().multipleOf(4).min(10)],
  ['list', z.array(z.number()).min(2)],
  ['list of addresses', z.array(z.email()).nonempty()],
  ['tuple', z.tuple([z.number(), z.string()])],
  ['tuple with a rest', z.tuple([z.number()], z.string())],
  ['record', z.record(z.string(), z.number())],
  ['union', z.union([z.number().min(7), z.string()])],
  ['tagged union', z.discriminatedUnion('k', [z.object({ k: z.literal('a'), n: z.number() }), z.object({ k: z.literal('b') })])],
  ['both', z.intersection(z.object({ a: z.string().min(2) }), z.object({ b: z.number() }))],
  ['nullable', z.nullable(z.number().min(3))],
  ['transformed', z.string().transform(Number)],
];

describe('an example is shown that the schema takes', () => {
  test.each(plain)('JSON Schema: %s', async (_, schema) => {
    const whole = holding(schema, { $defs: { point } });
    const example = shown(whole);
    expect(example).toHaveProperty('v');
    expect(await inputSchema('T', whole as never).parse(example)).toMatchObject({ ok: true });
  });

  test.each(zod)('zod: %s', (_, schema) => {
    const example = shown(z.object({ v: schema }));
    expect(example).toHaveProperty('v');
  });

  test.each(['path', 'file_path', 'filePath', 'notebook_path', 'cwd', 'directory', 'targetDir'])('%s is an absolute path', (name) => {
    const schema = { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
    expect(isAbsolute((shown(schema) as Record<string, string>)[name] ?? '')).toBe(true);
  });

  test.each([
    ['paths', ['/path/to/file']],
    ['url', 'https://example.com'],
    ['pathology', '…'],
  ])('the name of a field tells: %s', (name, expected) => {
    const type = Array.isArray(expected) ? { type: 'array', items: { type: 'string' } } : { type: 'string' };
    const value = (shown({ type: 'object', properties: { [name]: type }, required: [name] }) as Record<string, unknown>)[name];
    expect(JSON.stringify(value).replaceAll('\\\\', '/').replace('C:', '')).toBe(JSON.stringify(expected));
  });

  test('a tool that follows references to itself', () => {
    const tree: z.ZodType = z.object({ name: z.string().min(2), children: z.array(z.lazy(() => tree)).optional() });
    expect(shown(z.object({ v: tree }))).toEqual({ v: { name: expect.any(String) } });
  });
});

describe('no example is shown', () => {
  test.each<[string, unknown]>([
    ['of a pattern that nobody guesses', holding({ type: 'string', pattern: '^Q\\d{7}x$' })],
    ['of a pattern that is broken', holding({ type: 'string', pattern: '(' })],
    ['of what cannot be', holding({ type: 'integer', minimum: 5, maximum: 4 })],
    ['of a wrong default', holding({ type: 'integer', default: 'five' })],
    ['of what demands too much text', holding({ type: 'string', minLength: 5_000 })],
    ['of what demands too many entries', holding({ type: 'array', items: { type: 'string' }, minItems: 500 })],
    ['of what demands too many fields', { type: 'object', required: Array.from({ length: 500 }, (_, index) => `f${index}`) }],
    ['of what has no end', holding({ $ref: '#/properties/v', required: ['v'], type: 'object' })],
    ['of a condition nobody can see', z.object({ v: z.string().refine((text) => text === 'open sesame') })],
    [
      'of a schema that throws',
      z.object({
        v: z.string().refine(() => {
          throw new Error('no');
        }),
      }),
    ],
    ['of an asynchronous schema', z.object({ v: z.string().refine(async () => true) })],
  ])('%s', (_, schema) => {
    expect(shown(schema)).toBeUndefined();
  });

  test('and no asynchronous schema is asked about one', async () => {
    const asked = vi.fn(async (text: string) => text === 'yes');
    const tool = Tool.define('Slow', {
      description: 'x',
      input: z.object({ v: z.string().refine(asked) }),
      sideEffect: 'none',
      execute: () => '',
    });
    const { results } = await run([tool], calls(['Slow', { v: 'no' }]));
    expect(results[0]?.output).not.toContain('Example');
    expect(asked.mock.calls.every(([text]) => text === 'no')).toBe(true);
  });
});

describe('no schema keeps an example waiting', () => {
  const slow = '^(\\w|\\w\\w|[0-9a-f]|\\w)+!$';
  const text = (pattern: string, more: object = {}) => ({ type: 'string', pattern, ...more });
  const nested = (width: number, depth: number, leaf: object): object =>
    depth === 0 ? leaf : { allOf: Array.from({ length: width }, () => nested(width, depth - 1, leaf)) };
  const chain = (keyword: string, depth: number) =>
    Object.fromEntries(
      Array.from({ length: depth + 1 }, (_, at) => [
        `a${at}`,
        at === depth ? { type: 'string' } : { [keyword]: Array.from({ length: 2 }, () => ({ $ref: `#/$defs/a${at + 1}` })) },
      ]),
    );
  const many = Object.fromEntries(Array.from({ length: 190 }, (_, index) => [`p${index}`, { $ref: '#/$defs/a0' }]));
  const bombs: readonly (readonly [string, object])[] = [
    ...['examples', 'enum'].map((key) => [key, holding(text('^(a+)+$', { [key]: [`${'a'.repeat(40)}!`] }))] as const),
    ...['default', 'const'].map((key) => [key, holding(text('^(a+)+$', { [key]: `${'a'.repeat(40)}!` }))] as const),
    ['a text inside of a default', { ...holding({ default: { a: `${'a'.repeat(40)}!` }, properties: { a: text('^(a+)+$') } }) }],
    ['a choice in a loop', holding(text(slow))],
    ['a loop of words', holding(text('^(t|e|x|te|ex|xt|text|tex|ext)+!$', { minLength: 20 }))],
    ['loops in a loop', holding(text('^(.+)+!$', { minLength: 200 }))],
    ['a counted loop of choices', holding(text('^(\\w|\\w\\w|\\w){20}!$'))],
    ['loops one behind the other', holding(text(`${'\\w*'.repeat(60)}!$`))],
    ['options one behind the other', holding(text(`${'t?e?x?t?'.repeat(30)}!$`))],
    ['a format beside a pattern', holding(text('^(.|..|.|.|.|.|.)+!$', { format: 'uuid' }))],
    ['a pattern of a branch', holding({ type: 'string', minLength: 500, anyOf: [{}, text('^(\\w|\\w\\w)+!$')] })],
    ['a pattern of the names of fields', { type: 'object', required: ['a'.repeat(40)], patternProperties: { '^(a+)+$!': {} } }],
    [
      'many patterns',
      { type: 'object', properties: Object.fromEntries(Object.keys(many).map((name) => [name, text(slow)])), required: Object.keys(many) },
    ],
    [
      'many patterns that are tame alone',
      {
        type: 'object',
        properties: Object.fromEntries(Object.keys(many).map((name) => [name, text('\\w*\\w*\\w*\\w*\\w*!')])),
        required: Object.keys(many),
      },
    ],
    ['nests of references', { type: 'object', $defs: chain('allOf', 12), properties: many, required: Object.keys(many) }],
    ['nests of branches', holding({ $ref: '#/$defs/a0' }, { $defs: chain('oneOf', 40) })],
    ['nests that a choice hides', holding({ type: 'string', not: { $ref: '#/$defs/a0' } }, { $defs: chain('allOf', 40) })],
    [
      'nests',
      {
        type: 'object',
        properties: Object.fromEntries(Object.keys(many).map((name) => [name, nested(20, 2, { type: 'string' })])),
        required: Object.keys(many),
      },
    ],
  ];

  test.each(bombs)('%s', (_, schema) => {
    const began = performance.now();
    shown(schema);
    expect(performance.now() - began).toBeLessThan(400);
  });

  test.each(bombs.slice(0, 4))('a long text is not tried on a pattern: %s', (_, schema) => {
    expect(shown(schema)).toBeUndefined();
  });

  test('a short one of several examples is shown where there is a pattern', () => {
    expect(shown(holding(text('^Q\\d+$', { examples: [`Q${'1'.repeat(40)}`, 'Q12'] })))).toEqual({ v: 'Q12' });
  });

  test('a long one is shown where there is no pattern', () => {
    expect(shown(holding({ type: 'string', examples: ['word '.repeat(10)] }))).toEqual({ v: 'word '.repeat(10) });
  });

  test('and it is looked for once in the life of a schema', () => {
    const asked = vi.fn(() => true);
    const schema = inputSchema('T', z.object({ v: z.string().refine(asked) }));
    expect([validExample(schema), validExample(schema)]).toEqual(['{"v":"…"}', '{"v":"…"}']);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('a schema that nobody can add to has one as well', () => {
    expect(validExample(Object.freeze({ ...inputSchema('T', holding({ type: 'integer' }) as never) }))).toBe('{"v":1}');
  });
});

test('whatever the schema says, an example is valid and small, or there is none', async () => {
  const leaf = fc.record(
    {
      type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object', 'null'),
      minLength: fc.nat(30),
      maxLength: fc.nat(30),
      minimum: fc.integer({ min: -50, max: 50 }),
      exclusiveMaximum: fc.integer({ min: -50, max: 50 }),
      multipleOf: fc.constantFrom(1, 2, 0.5, 7),
      minItems: fc.nat(5),
      uniqueItems: fc.boolean(),
      enum: fc.array(fc.jsonValue(), { minLength: 1, maxLength: 3 }),
      required: fc.array(fc.constantFrom('a', 'b', '__proto__', 'path'), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  );
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
        required: fc.constant(['a']),
      }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(schema, async (part) => {
      const input = inputSchema('T', holding(part as object) as never);
      const text = validExample(input);
      if (text === undefined) return;
      expect(text.length).toBeLessThanOrEqual(1_000);
      expect(await input.parse(JSON.parse(text))).toMatchObject({ ok: true });
    }),
    { numRuns: 300 },
  );
});
