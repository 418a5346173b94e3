import { Tool } from 'toolwright';
import { compileDiagnostics, compileSchema } from 'toolwright/schema';
import { describe, expect, test } from 'vitest';
import { schemaDialects } from '../../../src/adapters/schema-dialects.js';
import type { JsonSchemaObject } from '../../../src/index.js';
import type { SchemaDialect } from '../../../src/schema.js';
import { refusals, validatorOf } from '../../support/dialect-schemas.js';
import { eachRow, table } from '../../support/each-row.js';
import { oddSchemas } from '../../support/odd-schemas.js';
import { mcpWorld } from './mcp-world.js';

const dialects = Object.keys(schemaDialects) as SchemaDialect[];
const field = (schema: object, more: object = {}) => ({ type: 'object', properties: { a: schema }, ...more });

async function called(inputSchema: JsonSchemaObject, given: object) {
  const { toolkit, client } = await mcpWorld({ s: { tools: [{ name: 't', inputSchema }] } });
  const input = given as JsonSchemaObject;
  const { results } = await toolkit.execute([{ id: '1', name: 'mcp__s__t', input }]);
  const [result] = results;
  return {
    output: result?.output,
    code: result?.ok === false ? result.error.code : undefined,
    asked: client.calls.map((call) => call.input),
  };
}

describe('a tool with an unusual schema', () => {
  test('is called: its server gets the input unchanged', () =>
    eachRow(oddSchemas, async ([, schema, input]) => {
      const { output, asked } = await called(schema, input);
      expect(output).toMatch(/^t /);
      expect(asked).toEqual([input]);
    }));

  test('is sent in each dialect of a provider', () =>
    eachRow(oddSchemas, ([, schema, input]) => {
      for (const dialect of dialects) {
        const { schema: compiled, notes } = compileSchema({ type: 'object', ...schema }, dialect);
        if (compiled === undefined) expect([dialect, notes.length > 0]).toEqual(['openai-strict', true]);
        else {
          expect([dialect, refusals(compiled, dialect)]).toEqual([dialect, []]);
          const takes = validatorOf(compiled);
          if (dialect !== 'openai-strict') expect([dialect, takes(input), takes.errors]).toEqual([dialect, true, null]);
        }
      }
    }));

  test('is listed by compileDiagnostics, and no other is', () =>
    eachRow(oddSchemas, ([, schema, , keeps]) => {
      const definition = { name: 't', description: '', inputSchema: { type: 'object', ...schema } };
      if (keeps === 'whole') expect(compileDiagnostics([definition], 'anthropic')).toEqual([]);
    }));
});

table([
  [
    'the other fields',
    field({ type: 'any' }, { properties: { a: { type: 'any' }, b: { type: 'integer' } } }),
    { b: 'x' },
  ],
  ['a pattern without the flag u', field({ type: 'string', pattern: '^[\\w-.]+$' }), { a: 'a b' }],
  ['a bound of draft 4', field({ minimum: 0, exclusiveMinimum: true }), { a: 0 }],
  [
    'a reference in percent form',
    field({ $ref: '#/definitions/A%3CB%3E' }, { definitions: { 'A<B>': { type: 'integer' } } }),
    { a: 'x' },
  ],
  ['an anchor', field({ $ref: '#t' }, { $defs: { x: { $anchor: 't', type: 'integer' } } }), { a: 'x' }],
  [
    'the base that an $id opens',
    field({ $id: 'https://e.com/a', $ref: '#/$defs/x', $defs: { x: { type: 'integer' } } }, { $defs: { x: {} } }),
    { a: 'x' },
  ],
  ['what nullable stands beside', field({ type: 'integer', nullable: true }), { a: 'x' }],
] as const)('applies the valid parts of its schema: %s', async (_, schema, input) => {
  const { code, asked } = await called(schema, input);
  expect([code, asked]).toEqual(['invalid_input', []]);
});

test('nullable beside a type, a choice or a reference is kept in every dialect', () =>
  eachRow(
    [
      ['a type', field({ type: 'string', nullable: true, description: 'd' }, { required: ['a'] })],
      ['a choice', field({ type: 'string', enum: ['x'], nullable: true }, { required: ['a'] })],
      [
        'a reference',
        field({ $ref: '#/$defs/x', nullable: true }, { required: ['a'], $defs: { x: { type: 'string' } } }),
      ],
      ['null alone', field({ type: 'null' }, { required: ['a'] })],
    ] as const,
    ([, schema]) => {
      for (const dialect of dialects) {
        const { schema: compiled = {} } = compileSchema(schema, dialect);
        expect([dialect, validatorOf(compiled)({ a: null }), refusals(compiled, dialect)]).toEqual([dialect, true, []]);
      }
      const { properties } = compileSchema(schema, 'gemini').schema as { properties: { a: object } };
      expect(properties.a).toMatchObject({ type: 'string', nullable: true });
    },
  ));

test('a pattern is sent to providers whose engine supports it', () => {
  const sent = (pattern: string, dialect: SchemaDialect) =>
    compileSchema(field({ type: 'string', pattern }, { required: ['a'] }), dialect);
  return eachRow<[string, string]>(
    [
      ['^(?!undefined$|null$)', 'anthropic'],
      ['(?<=a)b', 'anthropic'],
      ['^\\p{L}+$', 'anthropic'],
      ['^(a)\\1$', 'anthropic'],
      ['^(?<n>a)\\k<n>$', 'anthropic'],
      ['^[\\w-.]+$', ''],
      ['([', ''],
      ['(?P<n>a)', ''],
      ['a++', ''],
      ['/abc/i', ''],
      ['^[a-z&&b-y]+$', ''],
      ['/api/v1/', dialects.join(' ')],
      ['^(?:a|b)+\\.\\\\1$', dialects.join(' ')],
      ['^[a-z]{1,5}$', dialects.join(' ')],
    ],
    ([pattern, takers]) => {
      for (const dialect of dialects) {
        const { schema, notes } = sent(pattern, dialect);
        const isSent = JSON.stringify(schema).includes('"pattern"');
        expect([dialect, isSent]).toEqual([dialect, takers.split(' ').includes(dialect)]);
        expect([dialect, isSent || notes.some((note) => note.includes('pattern'))]).toEqual([dialect, true]);
      }
    },
  );
});

test('an omitted part never makes the schema stricter', async () => {
  const lookAhead = { type: 'string', pattern: '^(?=b)' };
  await eachRow(
    [
      { not: lookAhead },
      { if: lookAhead, else: false },
      { oneOf: [lookAhead, { const: 'a' }] },
      { not: { type: 'any', $ref: '#x' } },
    ],
    async (schema) => expect((await called(field(schema), { a: 'a' })).asked).toEqual([{ a: 'a' }]),
  );
  expect(compileSchema(field({ not: lookAhead }), 'openai').schema).toEqual(field({}));
});

test('a map with patterns is open for providers that do not support them', () => {
  const schema = field({ type: 'object', patternProperties: { '^(?!_)': {} }, additionalProperties: false });
  expect(compileSchema(schema, 'openai').schema).toEqual(field({ type: 'object', patternProperties: {} }));
});

const chain = (links: number, last: object) => ({
  ...Object.fromEntries(
    Array.from({ length: links }, (_, at) => [
      `d${at}`,
      { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  ),
  [`d${links}`]: last,
});
const many = <Value>(length: number, value: (at: number) => Value) => Array.from({ length }, (_, at) => value(at));

describe('a schema that takes too many steps', () => {
  const costly = [
    ['choices that double', field({ $ref: '#/$defs/d0' }, { $defs: chain(40, { type: 'string' }) }), { a: 1 }],
    [
      'choices that double with the input',
      field({ $ref: '#/$defs/t' }, { $defs: { t: { anyOf: many(3, () => field({ $ref: '#/$defs/t' })) } } }),
      many(60, () => 0).reduce<object>((a) => ({ a }), { a: 1 }),
    ],
    ['a reference to itself', field({ $ref: '#/$defs/x' }, { $defs: { x: { $ref: '#/$defs/x' } } }), { a: 1 }],
    ['choices in a circle', { type: 'object', anyOf: many(50, () => ({ $ref: '#' })) }, { a: 1 }],
    [
      'a list without doubles',
      field({ anyOf: many(500, () => ({ type: 'string', uniqueItems: true })) }),
      { a: many(20_000, (at) => ({ at })) },
    ],
    ['a pattern with look-around', field({ type: 'string', pattern: '^(?=(a+)+$)b' }), { a: 'a'.repeat(40) }],
    ['a pattern and much text', field({ type: 'string', pattern: '^(a+)+$' }), { a: `${'a'.repeat(900_000)}!` }],
  ] as const;
  test('is checked by its server', () =>
    eachRow(costly, async ([, schema, input]) => expect((await called(schema, input)).asked).toEqual([input])));

  test('is refused if it is a schema of the program', () =>
    eachRow(costly.filter(([name]) => !name.includes('itself')).slice(0, 4), async ([, input, value]) => {
      const { toolkit } = await mcpWorld();
      toolkit.registry.register(
        Tool.define('Own', { description: 'd', input, sideEffect: 'none', execute: () => 'ran' }),
      );
      expect((await toolkit.call('Own', value)).output).toContain('takes more than 100000 steps to check');
    }));

  test('still rejects input that fails in the linear engine', () =>
    eachRow(['^(a+)+$', '^(a|a)*$', '^(?:a|b)*a(?:a|b){20}c$'], async (pattern) => {
      const { code, asked } = await called(field({ type: 'string', pattern }), { a: `${'a'.repeat(40)}!` });
      expect([code, asked]).toEqual(['invalid_input', []]);
    }));
});

test('a backtracking pattern of the program is stopped after a part of a second', async () => {
  const { toolkit } = await mcpWorld();
  const input = field({ type: 'string', pattern: '^(?=(a+)+$)a' });
  toolkit.registry.register(Tool.define('Own', { description: 'd', input, sideEffect: 'none', execute: () => 'ran' }));
  // Without the limit the engine would need about half a second.
  const { output } = await toolkit.call('Own', { a: `${'a'.repeat(25)}!` });
  expect(output).toContain('takes more than 100000 steps to check');
});

test('a schema of the program keeps patterns that only JavaScript supports', async () => {
  const { toolkit } = await mcpWorld();
  const input = { type: 'object', properties: { a: { type: 'string', pattern: '^(?!.*\\.\\.)' } } };
  toolkit.registry.register(Tool.define('Own', { description: 'd', input, sideEffect: 'none', execute: () => 'ran' }));
  const outputs = [await toolkit.call('Own', { a: 'b' }), await toolkit.call('Own', { a: '../b' })];
  expect(outputs.map(({ output }) => output)).toEqual(['ran', expect.stringContaining('must match the pattern')]);
});
