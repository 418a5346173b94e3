import fc from 'fast-check';
import { defaultLimits, Tool } from 'toolwright';
import { compileDiagnostics, compileSchema } from 'toolwright/schema';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod3';
import { fromAnthropic, toAnthropicTools } from '../../src/adapters/anthropic.js';
import { compileDefinitions } from '../../src/adapters/compile-schema.js';
import { schemaDialects } from '../../src/adapters/schema-dialects.js';
import { parseInput } from '../../src/call/parse-input.js';
import { inputSchema } from '../../src/core/schema/input.js';
import { isRecord } from '../../src/core/support/check-values.js';
import type { JsonSchemaObject } from '../../src/index.js';
import type { SchemaDialect } from '../../src/schema.js';
import mcpServers from '../fixtures/mcp-server-schemas.json' with { type: 'json' };
import { refusals, validatorOf } from '../support/dialect-schemas.js';
import { eachRow } from '../support/each-row.js';
import { runs, sample } from '../support/runs.js';
import { inputsOf, toolSchemas } from '../support/tool-schemas.js';

const strictSchema = (schema: JsonSchemaObject) => compileSchema(schema, 'openai-strict').schema;
const text = { type: 'string' };
const none = { type: 'null' };
const number = { type: 'number' };
const object = (properties: object, more: object = {}): JsonSchemaObject => ({ type: 'object', properties, ...more });
const field = (schema: object) => strictSchema(object({ a: schema }, { required: ['a'] }))?.properties;

describe('a strict schema', () => {
  const nullable = { type: ['string', 'null'] };
  const texts = { type: 'array', items: text };
  const optional = [
    ['an optional text', text, nullable],
    ['an optional choice', { type: 'string', enum: ['x', 'y'] }, { ...nullable, enum: ['x', 'y', null] }],
    ['an optional list', texts, { anyOf: [texts, none] }],
    ['an optional union', { anyOf: [text, number] }, { anyOf: [text, number, none] }],
    ['an optional union with null', { anyOf: [text, none] }, { anyOf: [text, none] }],
    ['an optional null choice', { type: 'null', enum: [null] }, none],
    ['an optional list, described', { ...texts, description: 'd' }, { anyOf: [texts, none], description: 'd' }],
    ['an optional null', none, none],
    ['what is nullable', nullable, { anyOf: [text, none] }],
  ] as const;
  test('makes optional fields nullable and required', () =>
    eachRow(optional, ([, schema, made]) =>
      expect(strictSchema(object({ a: schema }))).toEqual(
        object({ a: made }, { required: ['a'], additionalProperties: false }),
      ),
    ));

  const known = [
    ['a description', { type: 'string', description: 'A path' }, { type: 'string', description: 'A path' }],
    ['bounds of numbers', { type: 'integer', minimum: 1, maximum: 9 }, { type: 'integer', minimum: 1, maximum: 9 }],
    ['bounds of lists', { ...texts, minItems: 1, maxItems: 4 }, { ...texts, minItems: 1, maxItems: 4 }],
    ['a known format', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    ['a plain pattern', { type: 'string', pattern: '^a+$' }, { type: 'string', pattern: '^a+$' }],
    ['a constant, as a choice of one', { const: 'x' }, { type: 'string', enum: ['x'] }],
    ['a choice of whole numbers', { type: 'integer', enum: [1, 2] }, { type: 'integer', enum: [1, 2] }],
    ['a choice without its type', { enum: [true] }, { type: 'boolean', enum: [true] }],
    ['a list of types', { type: ['string', 'number'], title: 'd' }, { anyOf: [text, number] }],
    ['a choice with null', { ...nullable, enum: ['x', null] }, { anyOf: [{ ...text, enum: ['x'] }, none] }],
    [
      'a closed object in it',
      object({ b: text }, { required: ['b'], additionalProperties: false }),
      strictSchema(object({ b: text }, { required: ['b'] })),
    ],
    ['one of several', { oneOf: [text, number] }, { anyOf: [text, number] }],
    [
      'a choice of several types',
      { enum: ['x', 1] },
      { anyOf: [{ ...text, enum: ['x'] }].concat({ ...number, enum: [1] } as never) },
    ],
    ['parts that all hold', { allOf: [text, { pattern: '^a' }] }, { type: 'string', pattern: '^a' }],
    ['a tuple', { type: 'array', items: [text, text], maxItems: 2 }, { type: 'array', items: text, maxItems: 2 }],
  ] as const;
  test('keeps supported keywords', () =>
    eachRow(known, ([, schema, kept]) => expect(field(schema)).toEqual({ a: kept })));

  const unknown = [
    ['lengths of texts', { type: 'string', minLength: 1, maxLength: 5 }],
    ['an unknown format', { type: 'string', format: 'uri' }],
    ['a pattern with look-around', { type: 'string', pattern: '^(?!x)' }],
    ['a default', { type: 'string', default: 'x' }],
    ['a title', { type: 'string', title: 'A' }],
    ['an unknown keyword', { type: 'string', dependentSchemas: {} }],
    ['not', { type: 'string', not: { const: 'x' } }],
    ['an empty choice', { type: 'string', enum: [] }],
  ] as const;
  test('leaves unsupported keywords to the schema of the tool', () =>
    eachRow(unknown, ([, schema]) => expect(field(schema)).toEqual({ a: text })));

  const impossible = [
    ['a value without a type', {}],
    ['true', true],
    ['an open object', object({ b: text }, { additionalProperties: true })],
    ['an object with further fields of a type', object({ b: text }, { additionalProperties: text })],
    ['any object', { type: 'object' }],
    ['an object without fields', object({})],
    ['a list of anything', { type: 'array' }],
    ['a tuple', { type: 'array', items: [text, text] }],
    ['a reference', { $ref: '#/$defs/b' }],
    ['a list of no types', { type: [] }],
    ['a choice of fractions for whole numbers', { type: 'integer', enum: [1.5] }],
    ['a choice of objects', { enum: [{}] }],
    ['an empty union', { anyOf: [] }],
    ['a union with an open member', { anyOf: [text, {}] }],
    ['a choice that does not fit its type', { type: 'string', enum: [1] }],
    ['patternProperties', object({ b: text }, { patternProperties: { '^x': text } })],
    ['a required field that is not declared', object({ b: text }, { required: ['c'] })],
    ['an unknown type', { type: 'tuple' }],
  ] as const;
  test('is undefined if the dialect cannot express the schema', () =>
    eachRow(impossible, ([, schema]) =>
      expect(strictSchema({ type: 'object', properties: { a: schema } })).toBeUndefined(),
    ));

  test('is undefined beyond the published limits', () => {
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

  test('is the same for zod 4 and zod 3', () => {
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
});

const tops = [
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
] as const;
test('the top level becomes a plain object', () =>
  eachRow(tops, ([, schema, plain]) =>
    expect(compileSchema(schema as JsonSchemaObject, 'anthropic').schema).toEqual(plain),
  ));

const dialects = Object.keys(schemaDialects) as SchemaDialect[];

describe.each(dialects)('%s', (dialect) => {
  test('accepts each compiled schema, which accepts all inputs of the original, and calls are restored', async () => {
    let said = 0;
    const one = toolSchemas.chain((schema) =>
      fc.record({ schema: fc.constant(schema), inputs: fc.array(inputsOf(schema), { minLength: 34, maxLength: 34 }) }),
    );
    await fc.assert(
      fc.asyncProperty(one, async ({ schema, inputs }) => {
        const { schema: compiled, restore } = compileSchema(schema, dialect);
        if (compiled === undefined) return;
        said++;
        expect(refusals(compiled, dialect)).toEqual([]);
        const tool = Tool.define('T', { description: 'd', input: schema, sideEffect: 'none', execute: () => '' });
        const takes = validatorOf(compiled);
        const names = namesIn(compiled, restore);
        for (const input of inputs) {
          const sent = JSON.parse(
            JSON.stringify(asSent(input, dialect === 'openai-strict' ? compiled : {}, names)),
          ) as unknown;
          expect([takes(sent), sent, takes.errors]).toEqual([true, sent, null]);
          const { parsed } = await parseInput(tool, restore(sent), defaultLimits.call);
          expect(parsed).toEqual(input);
        }
      }),
      { numRuns: runs(300), endOnFailure: true },
    );
    expect(said).toBeGreaterThan(0);
  });

  test('accepts the schemas of common servers', async () => {
    for (const [server, tools] of Object.entries(mcpServers as Record<string, Record<string, JsonSchemaObject>>)) {
      for (const [name, schema] of sample(Object.entries(tools))) {
        const { schema: compiled, restore, notes } = compileSchema(schema, dialect);
        if (compiled === undefined) {
          expect([dialect, notes.length > 0]).toEqual(['openai-strict', true]);
          continue;
        }
        expect([server, name, refusals(compiled, dialect)]).toEqual([server, name, []]);
        const takes = validatorOf(compiled);
        const names = namesIn(compiled, restore);
        for (const input of fc.sample(inputsOf(schema), 5)) {
          const sent = asSent(input, dialect === 'openai-strict' ? compiled : {}, names);
          expect([server, name, sent, takes(sent), takes.errors]).toEqual([server, name, sent, true, null]);
        }
      }
    }
  });
});

/** The original names of the fields in a compiled schema. */
function namesIn(
  schema: unknown,
  restore: (input: unknown) => unknown,
  found = new Map<string, string>(),
): ReadonlyMap<string, string> {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [key, value] of Object.entries(schema)) {
    const [original = key] = Object.keys(restore({ [key]: 1 }) as object);
    if (original !== key) found.set(original, key);
    namesIn(value, restore, found);
  }
  return found;
}

/**
 * An input as sent by a model in a dialect: with the field names of the dialect, and in strict mode with null for
 * absent fields.
 */
function asSent(value: unknown, schema: JsonSchemaObject, names: ReadonlyMap<string, string>): unknown {
  const branches = branchesOf(schema);
  if (Array.isArray(value)) {
    const { items = {} } = branches.find((one) => one.type === 'array') ?? {};
    return value.map((entry) => asSent(entry, items as JsonSchemaObject, names));
  }
  if (!isRecord(value)) return value;
  const sent = Object.fromEntries(Object.entries(value).map(([name, entry]) => [names.get(name) ?? name, entry]));
  const { properties, additionalProperties } = branches.find((one) => isFormOf(sent, one)) ?? {};
  const fields = (properties ?? {}) as Record<string, JsonSchemaObject>;
  const absent = additionalProperties === false ? Object.keys(fields).filter((name) => takesNull(fields[name])) : [];
  const entries = Object.entries(sent).map(([name, entry]) => [name, asSent(entry, fields[name] ?? {}, names)]);
  return { ...Object.fromEntries(absent.map((name) => [name, null])), ...Object.fromEntries(entries) };
}

function branchesOf(schema: JsonSchemaObject): readonly JsonSchemaObject[] {
  return Array.isArray(schema.anyOf) ? (schema.anyOf as JsonSchemaObject[]).flatMap(branchesOf) : [schema];
}

function isFormOf(value: Readonly<Record<string, unknown>>, { properties }: JsonSchemaObject): boolean {
  if (!isRecord(properties) || !Object.keys(value).every((name) => Object.hasOwn(properties, name))) return false;
  const isTag = (name: string) => ((properties[name] as JsonSchemaObject).enum as unknown[] | undefined)?.length === 1;
  const tags = Object.keys(properties).filter((name) => name === 'kind' && isTag(name));
  return tags.every((name) => ((properties[name] as JsonSchemaObject).enum as unknown[])[0] === value[name]);
}

function takesNull(schema: JsonSchemaObject = {}): boolean {
  return JSON.stringify(schema.type ?? schema.anyOf ?? '').includes('"null"');
}

describe('unsupported by a dialect', () => {
  const tree = {
    type: 'object',
    properties: { root: { $ref: '#/$defs/tree' } },
    $defs: { tree: { type: 'object', properties: { label: text, inner: { $ref: '#/$defs/tree' } } } },
  };

  test('is a cycle, which is cut after five rounds with a note, and kept if references are supported', () => {
    expect(compileSchema(tree, 'anthropic')).toMatchObject({ schema: tree, notes: [] });
    const { schema, notes } = compileSchema(tree, 'gemini');
    expect(JSON.stringify(schema).match(/label/g)).toHaveLength(5);
    expect(notes).toEqual(['the input: accepts any value: #/$defs/tree is cut after 5 rounds']);
    expect(compileSchema(tree, 'openai-strict').schema).toBeUndefined();
  });

  test('is a schema that grows without limit when its references are resolved', () => {
    const wide = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}`, { $ref: '#/$defs/n' }]));
    const schema = { type: 'object', properties: wide, $defs: { n: { type: 'object', properties: wide } } };
    expect(compileSchema(schema, 'gemini')).toMatchObject({
      schema: undefined,
      notes: expect.arrayContaining(['the input: cannot be expressed: it is too large']),
    });
  });

  test('is a tool name that Gemini rejects, and the other tools stay', () => {
    const definitions = ['Read', '9lives'].map((name) => ({ name, description: '', inputSchema: object({ a: text }) }));
    expect(compileDefinitions(definitions, 'gemini').map(({ name }) => name)).toEqual(['Read']);
    expect(compileDiagnostics(definitions, 'gemini')).toEqual([
      { tool: '9lives', isLeftOut: true, notes: ['gemini does not take the name 9lives'] },
    ]);
    expect(compileDefinitions(definitions, 'anthropic')).toEqual(definitions);
  });

  test('gives a note if it is expressed in another way', () => {
    const inputSchema = object({ a: text }, { anyOf: [{ required: ['a'] }] });
    expect(compileDiagnostics([{ name: 'T', description: '', inputSchema }], 'plain')).toEqual([
      { tool: 'T', isLeftOut: false, notes: ['the input: anyOf at the top is checked by the original only'] },
    ]);
  });
});

test('notes name what a dialect drops and renames', () => {
  const schema = object({
    'c-d': { type: 'number', exclusiveMinimum: 0, multipleOf: 2 },
    o: { type: 'object', enum: [{ a: 1 }] },
    u: { type: ['string', 'null'], format: 'uri', minLength: 1 },
    q: object({ r: { type: 'integer', enum: [1, 2] } }, { minProperties: 2, additionalProperties: text }),
    none: { type: 'null', const: null },
    kept: { type: 'array', items: text, minItems: 1, title: 'd', default: [] },
  });
  const said = (dialect: SchemaDialect) => compileSchema(schema, dialect).notes;
  expect(said('gemini')).toEqual([
    'c-d: checked by the original only: exclusiveMinimum, multipleOf',
    'o: checked by the original only: enum',
    'u: checked by the original only: format',
    'q.r: checked by the original only: enum',
    'q: checked by the original only: minProperties, additionalProperties',
    'sent under other names: "c-d"',
  ]);
  expect(said('plain')).toEqual([
    'o: checked by the original only: enum',
    'q: checked by the original only: minProperties',
  ]);
  expect(said('openai')).toEqual([]);
});

describe('for Gemini', () => {
  const field = (schema: object) => compileSchema(object({ a: schema }), 'gemini').schema?.properties;

  const notes = [
    ['null', { type: ['string', 'null'], description: 'd' }, { type: 'string', nullable: true, description: 'd' }],
    [
      'nothing stands beside a choice',
      { anyOf: [text, { type: 'integer' }, none], description: 'd' },
      { anyOf: [{ type: 'string', nullable: true, description: 'd' }, { type: 'integer' }] },
    ],
    ['numbers to choose from are described', { enum: [1, 2] }, { type: 'number', description: 'One of 1, 2.' }],
    ['objects are open', object({ b: text }, { additionalProperties: false }), object({ b: text })],
    ['a list has items', { type: 'array' }, { type: 'array', items: {} }],
  ] as const;
  test('a note names the loss', () => eachRow(notes, ([, schema, said]) => expect(field(schema)).toEqual({ a: said })));
});

test('a rejected field name is replaced for the provider, and restored in the call', () => {
  const definitions = [
    { name: 'T', description: '', inputSchema: object({ 'a[b]': text, c: object({ 'd e': text }) }) },
  ];
  const [tool] = toAnthropicTools(definitions);
  const fields = tool?.input_schema.properties as { c: { properties: object } };
  const [sent = '', other] = Object.keys(fields);
  expect([sent, other]).toEqual([expect.stringMatching(/^f_a_b__[0-9a-f]{8}$/), 'c']);
  const inner = Object.keys(fields.c.properties)[0] ?? '';
  const block = { type: 'tool_use', id: 'x', name: 'T', input: { [sent]: '1', c: { [inner]: '2' } } };
  expect(fromAnthropic(block, { definitions })[0]?.input).toEqual({ 'a[b]': '1', c: { 'd e': '2' } });
});

test('a condition or a choice without its pattern accepts no less', () =>
  eachRow(
    [
      ['a condition', { if: { pattern: '(?!x)' }, else: { type: 'number' } }, { else: { type: 'number' } }],
      ['one of several', { oneOf: [{ pattern: '(?!x)' }, { pattern: 'y' }] }, { anyOf: [{}, { pattern: 'y' }] }],
      ['an entry', { contains: { pattern: '\\cA' }, maxContains: 1 }, { maxContains: 1 }],
    ] as const,
    ([, schema, said]) =>
      expect(compileSchema(object({ a: schema }), 'openai').schema).toMatchObject({ properties: { a: said } }),
  ));
