import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inputSchema } from '../../src/core/schema/schema.js';
import { originalOf } from '../support/dialect-schemas.js';
import { eachRow } from '../support/each-row.js';
import { runs } from '../support/runs.js';
import { inputsOf, toolSchemas } from '../support/tool-schemas.js';

const holding = (schema: object) => ({ type: 'object', properties: { v: schema } });

describe('a schema that says nothing of its draft is checked by the words it uses', () => {
  const tuple = { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] };
  const node = {
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { next: { $dynamicRef: '#node' }, n: { type: 'integer' } },
  };
  const anchored = { ...holding({ $ref: '#whole' }), $defs: { whole: { $anchor: 'whole', type: 'integer' } } };

  test('holds and fails as that draft says', () =>
    eachRow<[string, object, unknown, boolean]>(
      [
        ['a tuple', holding(tuple), { v: [1, 'a'] }, true],
        ['a tuple with a rest', holding(tuple), { v: [1, 'a', null] }, true],
        ['a tuple of the wrong kinds', holding(tuple), { v: ['1', 2] }, false],
        ['a closed tuple', holding({ ...tuple, items: false }), { v: [1, 'a'] }, true],
        ['a closed tuple that is too long', holding({ ...tuple, items: false }), { v: [1, 'a', 2] }, false],
        ['a field that another demands', { type: 'object', dependentRequired: { a: ['b'] } }, { a: 1 }, false],
        [
          'a field that another shapes',
          { type: 'object', dependentSchemas: { a: { required: ['b'] } } },
          { a: 1 },
          false,
        ],
        [
          'a field of nobody',
          { type: 'object', allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
          { a: 1, z: 2 },
          false,
        ],
        [
          'a field of a branch',
          { type: 'object', allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
          { a: 1 },
          true,
        ],
        ['an entry of nobody', holding({ ...tuple, unevaluatedItems: false }), { v: [1, 'a', 2] }, false],
        ['too few of a kind', holding({ type: 'array', contains: { const: 1 }, minContains: 2 }), { v: [1] }, false],
        [
          'too many of a kind',
          holding({ type: 'array', contains: { const: 1 }, maxContains: 1 }),
          { v: [1, 1] },
          false,
        ],
        ['an anchor', anchored, { v: 's' }, false],
        ['an anchor that fits', anchored, { v: 5 }, true],
        ['a dynamic reference', node, { next: { next: { n: 'x' } } }, false],
        ['a dynamic reference that fits', node, { next: { next: { n: 1 } } }, true],
        [
          'draft 7: a tuple',
          holding({ type: 'array', items: [{ type: 'integer' }], additionalItems: false }),
          { v: [1, 2] },
          false,
        ],
        [
          'both: a tuple of draft 7 and a demand',
          { ...holding({ items: [{ type: 'integer' }] }), dependentRequired: { v: ['w'] } },
          { v: [1] },
          false,
        ],
        [
          'both: that fits',
          { ...holding({ items: [{ type: 'integer' }] }), dependentRequired: { v: ['w'] } },
          { v: [1], w: 1 },
          true,
        ],
        [
          'both spellings of a tuple',
          holding({ prefixItems: [{ type: 'integer' }], items: [{ type: 'integer' }] }),
          { v: [1] },
          true,
        ],
        [
          'both spellings of a tuple that does not fit',
          holding({ prefixItems: [{ type: 'integer' }], items: [{ type: 'integer' }] }),
          { v: ['a'] },
          false,
        ],
        [
          'a tuple beside words that nobody knows',
          { ...holding({ items: [{ type: 'integer' }] }), 'x-ui': { prefixItems: [] } },
          { v: [1] },
          true,
        ],
        [
          'what only draft 7 can read',
          { ...holding({ $ref: '#q' }), definitions: { q: { $id: '#q', type: 'string' } }, minContains: 1 },
          { v: 'x' },
          true,
        ],
        [
          'a draft that it is not',
          { ...holding({ items: [{ type: 'integer' }] }), $schema: 'https://json-schema.org/draft/2020-12/schema' },
          { v: ['a'] },
          false,
        ],
        [
          'definitions by reference',
          { ...holding({ $ref: '#/$defs/x' }), $defs: { x: { type: 'integer' } } },
          { v: 's' },
          false,
        ],
      ],
      async ([, schema, value, ok]) =>
        expect(await inputSchema('T', schema as never).parse(value)).toMatchObject({ ok }),
    ));

  test('a field of nobody is named', async () => {
    const { parse } = inputSchema('T', {
      type: 'object',
      properties: { a: {} },
      unevaluatedProperties: false,
    } as never);
    expect(await parse({ a: 1, zz: 2 })).toMatchObject({
      issues: [{ path: ['zz'], message: 'is not a field of this tool' }],
    });
  });
});

test('an input is taken exactly where another validator takes it', async () => {
  const inputs = toolSchemas.chain((schema) =>
    fc.record({
      schema: fc.constant(schema),
      inputs: fc.array(fc.oneof(inputsOf(schema), fc.dictionary(fc.constantFrom('a', 'b', 'c-d'), fc.jsonValue())), {
        minLength: 20,
        maxLength: 20,
      }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(inputs, async ({ schema, inputs }) => {
      const { parse } = inputSchema('T', schema as never);
      const takes = originalOf(schema);
      for (const input of inputs) expect([input, (await parse(input)).ok]).toEqual([input, takes(input)]);
    }),
    { numRuns: runs(1_000), endOnFailure: true },
  );
});
