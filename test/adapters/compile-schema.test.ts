import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod3';
import { compileSchema } from '../../src/adapters/compile-schema.js';
import type { JsonSchemaObject } from '../../src/core/schema/json-schema.js';
import { inputSchema } from '../../src/core/schema/schema.js';

const strictSchema = (schema: JsonSchemaObject) => compileSchema(schema, 'openai-strict').schema;
const text = { type: 'string' };
const object = (properties: object, more: object = {}): JsonSchemaObject => ({ type: 'object', properties, ...more });
const field = (schema: object) => strictSchema(object({ a: schema }, { required: ['a'] }))?.properties;

describe('a strict schema', () => {
  test.each([
    ['an optional text', object({ a: text }), { a: { type: ['string', 'null'] } }],
    [
      'an optional choice',
      object({ a: { type: 'string', enum: ['x', 'y'] } }),
      { a: { type: ['string', 'null'], enum: ['x', 'y', null] } },
    ],
    [
      'an optional list',
      object({ a: { type: 'array', items: text } }),
      { a: { anyOf: [{ type: 'array', items: text }, { type: 'null' }] } },
    ],
    [
      'an optional union',
      object({ a: { anyOf: [text, { type: 'number' }] } }),
      { a: { anyOf: [text, { type: 'number' }, { type: 'null' }] } },
    ],
    [
      'an optional union with null',
      object({ a: { anyOf: [text, { type: 'null' }] } }),
      { a: { anyOf: [text, { type: 'null' }] } },
    ],
    ['an optional null choice', object({ a: { type: 'null', enum: [null] } }), { a: { type: 'null', enum: [null] } }],
    [
      'an optional list with a description',
      object({ a: { type: 'array', items: text, description: 'd' } }),
      { a: { anyOf: [{ type: 'array', items: text }, { type: 'null' }], description: 'd' } },
    ],
    ['an optional null', object({ a: { type: 'null' } }), { a: { type: 'null' } }],
    [
      'what is nullable already',
      object({ a: { type: ['string', 'null'] } }),
      { a: { anyOf: [text, { type: 'null' }] } },
    ],
  ])('makes %s nullable and required', (_, schema, properties) => {
    expect(strictSchema(schema)).toEqual({ type: 'object', properties, required: ['a'], additionalProperties: false });
  });

  test.each([
    ['a description', { type: 'string', description: 'A path' }, { type: 'string', description: 'A path' }],
    ['bounds of numbers', { type: 'integer', minimum: 1, maximum: 9 }, { type: 'integer', minimum: 1, maximum: 9 }],
    [
      'bounds of lists',
      { type: 'array', items: text, minItems: 1, maxItems: 4 },
      { type: 'array', items: text, minItems: 1, maxItems: 4 },
    ],
    ['a known format', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    ['a plain pattern', { type: 'string', pattern: '^a+$' }, { type: 'string', pattern: '^a+$' }],
    ['a constant, as a choice of one', { const: 'x' }, { type: 'string', enum: ['x'] }],
    ['a choice of whole numbers', { type: 'integer', enum: [1, 2] }, { type: 'integer', enum: [1, 2] }],
    ['a choice without its type', { enum: [true] }, { type: 'boolean', enum: [true] }],
    [
      'a list of types, as a union',
      { type: ['string', 'number'], description: 'd' },
      { anyOf: [text, { type: 'number' }], description: 'd' },
    ],
    [
      'a choice with null in it',
      { type: ['string', 'null'], enum: ['x', null] },
      { anyOf: [{ type: 'string', enum: ['x'] }, { type: 'null' }] },
    ],
    [
      'a closed object in it',
      object({ b: text }, { required: ['b'], additionalProperties: false }),
      strictSchema(object({ b: text }, { required: ['b'] })),
    ],
  ])('keeps %s', (_, schema, kept) => {
    expect(field(schema)).toEqual({ a: kept });
  });

  test.each([
    ['lengths of texts', { type: 'string', minLength: 1, maxLength: 5 }],
    ['an unknown format', { type: 'string', format: 'uri' }],
    ['a pattern with look-around', { type: 'string', pattern: '^(?!x)' }],
    ['a default', { type: 'string', default: 'x' }],
    ['a title', { type: 'string', title: 'A' }],
  ])('leaves %s to the schema of the tool', (_, schema) => {
    expect(field(schema)).toEqual({ a: text });
  });

  test.each([
    ['a value without a type', {}],
    ['true', true],
    ['an open object', object({ b: text }, { additionalProperties: true })],
    ['an object with further fields of a type', object({ b: text }, { additionalProperties: text })],
    ['any object', { type: 'object' }],
    ['an object without fields', object({})],
    ['a list of anything', { type: 'array' }],
    ['a tuple', { type: 'array', items: [text, text] }],
    ['a reference', { $ref: '#/$defs/b' }],
    ['oneOf', { oneOf: [text] }],
    ['allOf', { allOf: [text] }],
    ['not', { type: 'string', not: { const: 'x' } }],
    ['a list of no types', { type: [] }],
    ['a list of types with a constant', { type: ['string', 'null'], const: 'x' }],
    ['a choice of fractions for whole numbers', { type: 'integer', enum: [1.5] }],
    ['a choice of objects', { enum: [{}] }],
    ['an empty union', { anyOf: [] }],
    ['a union with an open member', { anyOf: [text, {}] }],
    ['a required list that is none', object({ b: text }, { required: 'b' })],
    ['an empty choice', { type: 'string', enum: [] }],
    ['a choice of several types', { enum: ['x', 1] }],
    ['a choice that does not fit its type', { type: 'string', enum: [1] }],
    ['a union with other keywords', { type: 'object', anyOf: [text] }],
    ['patternProperties', object({ b: text }, { patternProperties: { '^x': text } })],
    ['a required field that is not declared', object({ b: text }, { required: ['c'] })],
    ['an unknown type', { type: 'tuple' }],
    ['an unknown keyword', { type: 'string', dependentSchemas: {} }],
  ])('does not exist for %s', (_, schema) => {
    expect(strictSchema({ type: 'object', properties: { a: schema } })).toBeUndefined();
  });

  test('does not exist beyond the published limits', () => {
    const deep = Array.from({ length: 6 }).reduce<object>((inner) => object({ a: inner }), text);
    const wide = object(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, text])));
    const choices = object({ a: { type: 'string', enum: Array.from({ length: 501 }, (_, index) => `v${index}`) } });
    const long = object({ a: { type: 'string', enum: ['x'.repeat(15_001)] } });
    expect([deep, wide, choices, long].map((schema) => strictSchema(schema as Record<string, unknown>))).toEqual(
      Array(4).fill(undefined),
    );
  });

  test('exists for a tool without parameters', () => {
    expect(strictSchema(object({}))).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    });
    expect(strictSchema({ type: 'object' })).toBeUndefined();
    expect(strictSchema({ type: 'string' })).toBeUndefined();
  });

  test('keeps a field called __proto__ a field', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    ) as Record<string, unknown>;
    expect(Object.keys(strictSchema(schema)?.properties ?? {})).toEqual(['__proto__']);
  });

  test('comes out the same for zod 4 and zod 3', () => {
    const four = z.object({
      path: z.string().min(1),
      mode: z.enum(['a', 'b']).optional(),
      list: z.array(z.number().int()).default([]),
    });
    const three = z3.object({
      path: z3.string().min(1),
      mode: z3.enum(['a', 'b']).optional(),
      list: z3.array(z3.number().int()).default([]),
    });
    const strict = strictSchema(inputSchema('T', four).json);
    expect(strict).toEqual(strictSchema(inputSchema('T', three).json));
    expect(strict).toMatchObject({ required: ['path', 'mode', 'list'], additionalProperties: false });
  });

  test('accepts only values that the original accepts once null stands for absent', () => {
    const ajv = new Ajv({ strict: false, logger: false });
    const scalar = fc.constantFrom(
      text,
      { type: 'integer' },
      { type: 'boolean' },
      { type: 'string', enum: ['x', 'y'] },
    );
    const node = fc.letrec<{ node: object }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 2 },
        scalar,
        fc.record({ type: fc.constant('array'), items: tie('node') }),
        fc.record({
          type: fc.constant('object'),
          properties: fc.record({ x: tie('node'), y: tie('node') }),
          required: fc.subarray(['x', 'y']),
        }),
      ),
    })).node;
    const value = fc.oneof(
      fc.constantFrom('x', 'z', 1, true, null),
      fc.array(fc.constantFrom('x', 1, null), { maxLength: 2 }),
    );
    const values = fc.record({ a: fc.oneof(value, fc.record({ x: value, y: value })), b: value });
    fc.assert(
      fc.property(fc.record({ a: node, b: node }), fc.subarray(['a', 'b']), values, (properties, required, input) => {
        const original = object(properties, { required });
        const strict = strictSchema(original);
        if (strict === undefined || !ajv.compile(strict)(input)) return;
        expect(ajv.compile(original)(withoutNulls(input))).toBe(true);
      }),
    );
  });
});

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, entry]) => entry !== null);
  return Object.fromEntries(kept.map(([name, entry]) => [name, withoutNulls(entry)]));
}
