import { expect, test } from 'vitest';
import { compileSchema } from '../../src/adapters/compile-schema.js';

const plainObjectSchema = (schema: object) => compileSchema(schema as never, 'anthropic').schema ?? {};

test('a plain object schema stays the same object', () => {
  const schema = { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } }, required: ['a'] };
  expect(plainObjectSchema(schema)).toBe(schema);
});

test.each([
  ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
  ['properties that are none', { type: 'object', properties: null }, { type: 'object', properties: {} }],
  [
    'a condition',
    { type: 'object', properties: { a: {} }, if: { required: ['a'] }, else: false, not: { const: 1 } },
    { type: 'object', properties: { a: {} } },
  ],
  [
    'a union',
    {
      type: 'object',
      description: 'd',
      anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: {} } }],
    },
    { type: 'object', description: 'd', properties: { a: { type: 'string' }, b: {} } },
  ],
  [
    'parts that all hold',
    { type: 'object', required: ['a'], allOf: [{ properties: { a: {}, b: {} }, required: ['a', 'b'] }, true] },
    { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b'] },
  ],
  [
    'a property that is declared twice the same',
    { type: 'object', properties: { a: { type: 'string' } }, oneOf: [{ properties: { a: { type: 'string' } } }] },
    { type: 'object', properties: { a: { type: 'string' } } },
  ],
  [
    'a property that is declared twice differently',
    { type: 'object', oneOf: [{ properties: { a: { const: 1 } } }, { properties: { a: { const: 2 } } }] },
    { type: 'object', properties: { a: { anyOf: [{ const: 1 }, { const: 2 }] } } },
  ],
])('%s at the top becomes a plain object', (_, schema, plain) => {
  expect(plainObjectSchema(schema)).toEqual(plain);
});

test('a property called __proto__ stays a property', () => {
  const schema = JSON.parse('{"type":"object","anyOf":[{"properties":{"__proto__":{"type":"string"}}}]}') as Record<
    string,
    unknown
  >;
  expect(Object.keys(plainObjectSchema(schema).properties ?? {})).toEqual(['__proto__']);
});
