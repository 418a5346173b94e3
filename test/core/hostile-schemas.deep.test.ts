import fc from 'fast-check';
import { defaultLimits } from 'toolwright';
import { compileSchema } from 'toolwright/schema';
import { expect, test } from 'vitest';
import { schemaDialects } from '../../src/adapters/schema-dialects.js';
import { coerce } from '../../src/call/coerce.js';
import { inputSchema } from '../../src/core/schema/input.js';
import { mendSchema } from '../../src/core/schema/mend.js';
import { tooMuchWork } from '../../src/core/schema/patterns.js';
import { type PatternTest, patternTest } from '../../src/core/schema/test-pattern.js';
import { ValueCheck } from '../../src/core/schema/validate-value.js';
import type { SchemaDialect } from '../../src/schema.js';
import { runs } from '../support/runs.js';

type Schema = Readonly<Record<string, unknown>>;

const patterns = [
  '^(a+)+$',
  '^(a|a)*$',
  '(.*)*x',
  '^(?=(a+)+$)b',
  '(a|b)*a(a|b){20}$',
  '^(?:a{1,90}){1,9}$',
  '([',
  '(a)\\1+$',
  '\\p{L}{900}',
];
const names = ['a', 'b', 'x', '__proto__', 'constructor', '\ud800'];
const references = [
  '#',
  '#/$defs/a',
  '#/$defs/b',
  '#/$defs/x',
  '#/properties/a',
  '#a',
  'b',
  'https://example.com/a',
  '#/%',
];

/** Schemas that are slow to check, or invalid. */
const { node } = fc.letrec<{ node: unknown }>((tie) => {
  const many = fc.tuple(tie('node'), fc.nat(12)).map(([one, count]) => Array.from({ length: count }, () => one));
  const record = fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 4 });
  return {
    node: fc.oneof(
      { maxDepth: 3 },
      fc.record({ $ref: fc.constantFrom(...references) }),
      fc.record(
        {
          $ref: fc.constantFrom(...references),
          type: fc.constantFrom('string', 'array', 'object', 'any', null, ['object', 'array'], 7),
          pattern: fc.constantFrom(...patterns),
          anyOf: many,
          oneOf: many,
          allOf: many,
          not: tie('node'),
          if: tie('node'),
          else: tie('node'),
          items: fc.oneof(tie('node'), many),
          contains: tie('node'),
          uniqueItems: fc.boolean(),
          properties: record,
          patternProperties: fc.dictionary(fc.constantFrom(...patterns), tie('node')),
          additionalProperties: tie('node'),
          unevaluatedProperties: tie('node'),
          unevaluatedItems: tie('node'),
          propertyNames: tie('node'),
          dependencies: record,
          required: fc.constantFrom(null, true, ['a'], ['a', 'a', 7]),
          enum: fc.constantFrom(
            null,
            [],
            [1, { a: 1 }],
            Array.from({ length: 3_000 }, (_, at) => ({ at })),
          ),
          nullable: fc.boolean(),
          $id: fc.constantFrom('a', 'b', 'https://example.com/a', 'http://['),
          $anchor: fc.constantFrom('a', 'b'),
          maxLength: fc.constantFrom(1, '1', -1, null),
        },
        { requiredKeys: [] },
      ),
      fc.constantFrom<unknown>(null, true, false, 'string', [], 7),
    ),
  };
});
const hostile = fc
  .tuple(fc.dictionary(fc.constantFrom(...names), node), fc.dictionary(fc.constantFrom('a', 'b', 'x'), node), node)
  .map(([properties, $defs, beside]): Schema => ({ ...(beside as object), type: 'object', properties, $defs }))
  .filter((schema) => JSON.stringify(schema).length <= defaultLimits.mcp.maxSchemaChars);

const nested = (depth: number): unknown =>
  depth === 0 ? 'a'.repeat(40) : { a: nested(depth - 1), b: [nested(depth - 1)] };
const values: readonly unknown[] = [
  `${'a'.repeat(40)}!`,
  'ab'.repeat(100_000),
  Array.from({ length: 20_000 }, (_, at) => ({ at })),
  Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`a${at}`, 'a'.repeat(30)])),
  nested(9),
  Array.from({ length: 60 }).reduce<unknown>((a) => ({ a, b: 1 }), 1),
];

const dialects = Object.keys(schemaDialects) as SchemaDialect[];

test('1,000 hostile schemas: every call gets a result, every dialect compiles, and no check exceeds its steps', async () => {
  const check = await patternTest(false);
  await fc.assert(
    fc.asyncProperty(
      hostile,
      fc.constantFrom(...values),
      fc.constantFrom(...dialects),
      async (schema, value, dialect) => {
        const input = { a: value, b: value };
        const { parse } = inputSchema('T', schema, undefined, true);
        expect((await parse(input)).ok).toEqual(expect.any(Boolean));
        coerce(input, schema, new Set(), defaultLimits.call);
        expect(compileSchema(schema, dialect).notes).toEqual(expect.any(Array));
        const { schema: root } = mendSchema(schema, true);
        let visited = 0;
        const count: PatternTest = (...work) => {
          visited++;
          return check(...work);
        };
        const counted = new ValueCheck(root, count, true, 5_000);
        try {
          counted.holds(input, root);
        } catch (thrown) {
          expect(thrown).toBe(tooMuchWork);
        }
        expect(visited).toBeLessThanOrEqual(5_000);
      },
    ),
    { numRuns: runs(1_000), endOnFailure: true },
  );
  // The linear engine compiles some thousand hostile patterns here: 170 s on a quiet machine, three times that on a busy one.
}, 900_000);
