import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import * as z4 from 'zod/v4';
import * as z3 from 'zod3';
import { type SchemaLike, Tool, ToolRegistry } from '../../src/core.js';
import { eachRow, table } from '../support/each-row.js';

const define = (input: SchemaLike, inputJson?: Record<string, unknown>) =>
  Tool.define('A', {
    description: 'd',
    input,
    sideEffect: 'none',
    execute: () => 'x',
    ...(inputJson === undefined ? {} : { inputJson }),
  });

const wanted = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Where' },
    limit: { type: 'integer', minimum: 1 },
    mode: { type: 'string', enum: ['a', 'b'] },
    tags: { type: 'array', items: { type: 'string' } },
    flag: { type: 'boolean', default: false },
    either: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    fixed: { type: 'string', const: 'x' },
  },
  required: ['path', 'mode', 'tags', 'either', 'fixed'],
};

const four = z4.object({
  path: z4.string().describe('Where'),
  limit: z4.number().int().min(1).optional(),
  mode: z4.enum(['a', 'b']),
  tags: z4.array(z4.string()),
  flag: z4.boolean().default(false),
  either: z4.union([z4.string(), z4.boolean()]),
  fixed: z4.literal('x'),
});

const three = z3.object({
  path: z3.string().describe('Where'),
  limit: z3.number().int().min(1).optional(),
  mode: z3.enum(['a', 'b']),
  tags: z3.array(z3.string()),
  flag: z3.boolean().default(false),
  either: z3.union([z3.string(), z3.boolean()]),
  fixed: z3.literal('x'),
});

describe('the JSON Schema', () => {
  test('of a zod 4 schema is complete', () => expect(define(four).input.json).toEqual(wanted));

  test('of a zod 3 schema is complete', () => {
    const { additionalProperties, ...json } = define(three).input.json;
    // Schemas of zod 3 objects have additionalProperties: false.
    expect(additionalProperties).toBe(false);
    expect(json).toEqual(wanted);
  });

  test('has neither $schema nor the bounds that zod adds to integers', () => {
    const json = JSON.stringify(define(z4.object({ n: z4.int() })).input.json);
    expect(json).toBe('{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}');
  });

  test('is the same for a field with the name of a keyword', () => {
    const number = { type: 'integer' };
    const fields = { default: z4.int(), enum: z4.int(), properties: z4.object({ const: z4.int() }) };
    const { json } = define(z4.object(fields)).input;
    expect(json.properties).toMatchObject({ default: number, enum: number });
    expect(JSON.stringify(json)).not.toContain('maximum');
    const own = { type: 'object', properties: { default: { type: 'string' } } };
    expect(Object.isFrozen((define(own).input.json as typeof own).properties.default)).toBe(true);
    const data = { type: 'object', properties: { n: { type: 'object', default: { maximum: 2 ** 53 - 1 } } } };
    expect(define(data).input.json).toEqual(data);
  });

  test('of a plain schema is the schema itself', () =>
    expect(
      define({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: {} }).input.json,
    ).toEqual({ type: 'object', properties: {} }));

  test('is frozen and made once', () => {
    const { input } = define(four);
    expect(input.json).toBe(input.json);
    expect(Object.isFrozen(input.json.properties)).toBe(true);
  });

  test('can be given with a schema that cannot be described', () => {
    const bare = { '~standard': { version: 1 as const, vendor: 'bare', validate: (value: unknown) => ({ value }) } };
    expect(() => define(bare)).toThrow('pass inputJson');
    expect(define(bare, { type: 'object', properties: { a: {} } }).input.json).toEqual({
      type: 'object',
      properties: { a: {} },
    });
  });

  test('of a date or a transform does not fail', () =>
    expect(define(z4.object({ at: z4.date(), n: z4.string().transform(Number) })).input.json).toMatchObject({
      properties: { n: { type: 'string' } },
    }));
});

describe('that does not describe an object is rejected at once, with help', () => {
  test('of any kind', () =>
    eachRow<[string, unknown, string]>(
      [
        ['zod 4 text', z4.string(), 'wrap it'],
        ['zod 3 list', z3.array(z3.string()), 'wrap it'],
        ['zod 4 union', z4.union([z4.object({ a: z4.string() }), z4.object({ b: z4.string() })]), 'wrap it'],
        ['JSON Schema of text', { type: 'string' }, 'wrap it'],
        ['an empty schema', {}, 'JSON Schema such as'],
        ['nothing', undefined, 'JSON Schema such as'],
        ['null', null, 'JSON Schema such as'],
        ['text', 'object', 'JSON Schema such as'],
      ],
      ([, input, help]) => expect(() => define(input as SchemaLike)).toThrow(help),
    ));
});

describe('parsing', () => {
  const good = { path: '/a', mode: 'a', tags: ['t'], either: true, fixed: 'x' };

  table([
    ['zod 4', four],
    ['zod 3', three],
    ['JSON Schema', wanted],
    ['JSON Schema 2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema', ...wanted }],
    ['JSON Schema 2019-09', { $schema: 'https://json-schema.org/draft/2019-09/schema', ...wanted }],
  ])('any kind of schema accepts valid input and names each invalid field', async (_name, schema) => {
    const { input } = define(schema as SchemaLike);
    expect(await input.parse(good)).toMatchObject({ ok: true });
    const bad = await input.parse({ ...good, path: 5, mode: 'c', tags: [1], either: undefined });
    expect(bad.ok).toBe(false);
    const fields = bad.ok ? [] : bad.issues.map(({ path }) => path.map(String).join('.'));
    expect(new Set(fields)).toEqual(new Set(['path', 'mode', 'tags.0', 'either']));
  });

  test('an asynchronous schema may answer with a promise of another realm', async () => {
    const validate = () => runInNewContext("Promise.resolve({ issues: [{ message: 'refused' }] })");
    const schema = { '~standard': { version: 1, vendor: 'x', validate } } as unknown as SchemaLike;
    const made = Tool.define('A', {
      description: 'd',
      input: schema,
      inputJson: { type: 'object' },
      sideEffect: 'none',
      examples: [{ a: 1 }],
      execute: () => 'ran',
    });
    await expect(new ToolRegistry().register(made).execute('A', {})).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('an unusable JSON Schema is an issue of every input', async () => {
    const { input } = define({ type: 'object', properties: { a: { $ref: 'https://example.com/remote.json' } } });
    expect(await input.parse({})).toMatchObject({
      ok: false,
      issues: [{ message: expect.stringContaining('cannot be used') }],
    });
  });
});
