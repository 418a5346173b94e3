import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inputSchema } from '../../src/core/schema/input.js';
import { patternSize } from '../../src/core/schema/test-pattern.js';
import { originalOf } from '../support/dialect-schemas.js';
import { eachRow } from '../support/each-row.js';
import { runs } from '../support/runs.js';
import { inputsOf, toolSchemas } from '../support/tool-schemas.js';

const holding = (schema: object) => ({ type: 'object', properties: { v: schema } });

describe('a schema without a draft is checked by the keywords that it uses', () => {
  const tuple = { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] };
  const node = {
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { next: { $dynamicRef: '#node' }, n: { type: 'integer' } },
  };
  const anchored = { ...holding({ $ref: '#whole' }), $defs: { whole: { $anchor: 'whole', type: 'integer' } } };

  test('accepts and rejects as its draft requires', () =>
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

  test('an unknown field is named in the error', async () => {
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

describe('a schema of a server with exponential work', () => {
  const long = 'a'.repeat(90_000);
  const list = (items: object) => holding({ type: 'array', items });
  const manyItems = { v: Array.from({ length: 20_000 }, () => 'x') };
  const manyFields = { v: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1])) };
  const inside = (depth: number, leaf: object): object =>
    depth === 0 ? leaf : { properties: { a: inside(depth - 1, leaf) } };
  const chain = Array.from({ length: 9 }, (_, at) => [
    `c${at}`,
    inside(240, { $anchor: `a${at}`, $ref: `#a${(at + 1) % 9}` }),
  ]);
  const manyReferences = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, { $ref: '#a0' }]));
  const wide = { properties: Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`q${at}`, {}])) };
  const named = Array.from({ length: 230 }).reduce<object>(
    (a, _, at) => ({ $anchor: `n${at}`, properties: { a } }),
    wide,
  );
  const toAll = Object.fromEntries(Array.from({ length: 230 }, (_, at) => [`p${at}`, { $ref: `#n${at}` }]));

  test(
    'is checked, or left to the server after too many steps',
    () =>
      eachRow<[string, object, unknown]>(
        [
          [
            'a long value that is told of for each entry',
            list({ anyOf: [{ const: long }, { type: 'string' }] }),
            manyItems,
          ],
          ['a reference with a long name', { ...list({ $ref: `#/$defs/${long}` }), $defs: { [long]: {} } }, manyItems],
          ['many counts of many fields', holding({ allOf: Array(5_000).fill({ minProperties: 1 }) }), manyFields],
          [
            'names of many patterns',
            { ...list({ patternProperties: wide.properties }) },
            { v: manyItems.v.map(() => ({})) },
          ],
          [
            'parts that hand on what they have seen',
            holding(
              inside(
                0,
                Array.from({ length: 200 }).reduce<object>((one) => ({ allOf: [one], unevaluatedItems: false }), {
                  items: {},
                }),
              ),
            ),
            manyItems,
          ],
          [
            'references to deep parts that refer on',
            { type: 'object', properties: manyReferences, $defs: Object.fromEntries(chain) },
            {},
          ],
          ['references to parts of each other', { type: 'object', properties: toAll, $defs: { named } }, {}],
        ],
        async ([, schema, input]) =>
          expect((await inputSchema('T', schema as never, undefined, true).parse(input)).ok).toBe(true),
      ),
    20_000,
  );
});

test('an input is accepted exactly if another validator accepts it', async () => {
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

describe('a pattern in a schema of the program', () => {
  const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
  const id = '123e4567-e89b-12d3-a456-426614174000';
  const texts = (pattern: string, count: number, text: string, last = text) =>
    [
      inputSchema('T', holding({ type: 'array', items: { type: 'string', pattern } }) as never),
      { v: [...Array.from({ length: count - 1 }, () => text), last] },
    ] as const;

  test('costs its real number of steps, so that long lists of plain texts are checked completely', () =>
    eachRow<[pattern: string, count: number, text: string, wrong: string]>(
      [
        [uuid, 10_000, id, id.toUpperCase()],
        ['^[\\w.-]+$', 10_000, 'a-b_c.d'.repeat(5), 'a b'],
        ['^(?:GET|POST|PUT) /', 10_000, 'POST /a', 'PATCH /a'],
        ['^\\d{4}-\\d{2}-\\d{2}$', 10_000, '2026-01-31', '2026-1-31'],
        ['^(?!undefined$|null$)', 10_000, 'a', 'null'],
        ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 3_000, 'Abcdefgh1', 'abcdefgh1'],
      ],
      async ([pattern, count, text, wrong]) => {
        const [right, value] = texts(pattern, count, text);
        expect(await right.parse(value)).toMatchObject({ ok: true });
        const [other, bad] = texts(pattern, count, text, wrong);
        expect(await other.parse(bad)).toMatchObject({ ok: false, issues: [{ path: ['v', count - 1] }] });
      },
    ));

  // Reading each of these patterns from every bracket to its end would take minutes.
  test('is read in linear time, even if its parts have no end', async () => {
    const parsed = (pattern: string) =>
      inputSchema('T', holding({ type: 'string', pattern }) as never).parse({ v: 'x' });
    const parts = ['[', '[a', '[&', '[:a', '\\k<', '\\p{', '(?<a', '('];
    // An invalid pattern is not checked.
    await eachRow(parts, async (part) => expect(await parsed(part.repeat(150_000))).toMatchObject({ ok: true }));
    expect(await parsed(`/${'[a]'.repeat(50)}`)).toMatchObject({ issues: [{ path: ['v'] }] });
    const message = expect.stringContaining('steps to check');
    expect(await parsed(`[${'[:a'.repeat(150_000)}]`)).toMatchObject({ issues: [{ message }] });
  });

  test('is refused if it could take long', async () => {
    const [{ parse }, value] = texts('^(?:a{1,90}){1,9}$', 1_000, 'a'.repeat(500));
    expect(await parse(value)).toMatchObject({ issues: [{ message: expect.stringContaining('steps to check') }] });
  });

  test('is refused for a text so long that its steps exceed 32 bits', async () => {
    const pattern = '(?:a|b)*a(?:a|b){300}(?:c|d)';
    const text = 'ab'.repeat(2 ** 31 / patternSize(pattern) / 2 + 500);
    const { parse } = inputSchema('T', holding({ type: 'string', pattern }) as never);
    expect(await parse({ v: text })).toMatchObject({
      issues: [{ message: expect.stringContaining('steps to check') }],
    });
  });
});

describe('multipleOf', () => {
  test('accepts any number whose quotient has no fraction left', async () => {
    const { parse } = inputSchema('T', holding({ type: 'number', multipleOf: 0.01 }) as never);
    for (const [v, ok] of [
      [1e308, true],
      [-1e308, true],
      [0.07, true],
      [0.075, false],
    ] as const)
      expect([v, (await parse({ v })).ok]).toEqual([v, ok]);
  });
});
