import fc from 'fast-check';
import { isRecord } from '../../src/core/support/check-values.js';
import { originalOf } from './dialect-schemas.js';

type Schema = Readonly<Record<string, unknown>>;

/** Names of fields, some of which not every provider accepts. */
const fieldNames = ['a', 'b', 'file_path', 'c-d', 'e.f', '$filter', 'account[email]', '1st', 'naïve', 'x'.repeat(70)];

const annotated = (schema: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> =>
  fc
    .tuple(schema, fc.constantFrom({}, {}, { description: 'What it is.' }, { title: 'T' }, { 'x-own': 1 }))
    .map(([one, label]) => ({ ...one, ...label }));

const scalar: fc.Arbitrary<Schema> = fc.constantFrom<Schema>(
  { type: 'string' },
  { type: 'string', minLength: 1, maxLength: 9 },
  { type: 'string', format: 'uri' },
  { type: 'string', format: 'date-time' },
  { type: 'string', enum: ['x', 'y'] },
  { type: 'string', enum: ['', 'z'] },
  { type: 'integer', minimum: 0, maximum: 9 },
  { type: 'integer', enum: [1, 2] },
  { type: 'number', exclusiveMinimum: 0 },
  { type: 'boolean' },
  { type: 'boolean', default: false },
  { const: 'fixed' },
  { const: 7 },
  { enum: ['one', 2, true] },
  { type: ['string', 'null'] },
  { type: ['string', 'integer'], description: 'Either.' },
  { type: ['string', 'null'], enum: ['x', null] },
  { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
  { allOf: [{ type: 'string' }, { minLength: 1 }] },
  { $ref: '#/$defs/point' },
  { $ref: '#/$defs/tree' },
  { $ref: '#/definitions/name' },
  { type: 'string', not: { const: 'never' } },
);

const { node } = fc.letrec<{ node: Schema }>((tie) => ({
  node: annotated(
    fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalar,
      fc.record({ type: fc.constant('array'), items: tie('node'), maxItems: fc.constant(3) }),
      fc.tuple(scalar, scalar).map(([one, two]) => ({ type: 'array', items: [one, two], minItems: 2, maxItems: 2 })),
      objectOf(tie('node')),
      fc.tuple(tie('node'), tie('node')).map(([one, two]) => ({ anyOf: [tagged('left', one), tagged('right', two)] })),
    ),
  ),
}));

function objectOf(field: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...fieldNames), field), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 4,
    })
    .chain((fields) =>
      fc.record({
        type: fc.constant('object'),
        properties: fc.constant(Object.fromEntries(fields)),
        required: fc.subarray(fields.map(([name]) => name)),
        additionalProperties: fc.constantFrom(false, undefined),
      }),
    )
    .map(({ additionalProperties, ...rest }) =>
      additionalProperties === undefined ? rest : { ...rest, additionalProperties },
    );
}

function tagged(kind: string, value: Schema): Schema {
  return { type: 'object', properties: { kind: { const: kind }, value }, required: ['kind'] };
}

const definitions = {
  $defs: {
    point: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x'] },
    tree: {
      type: 'object',
      properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
      required: ['label'],
    },
  },
  definitions: { name: { type: 'string', minLength: 1 } },
};

/** Schemas of tools as written by authors and servers, with all features that some provider rejects. */
export const toolSchemas: fc.Arbitrary<Schema> = objectOf(node).map((schema) => ({ ...schema, ...definitions }));

/**
 * Inputs that a schema accepts, with declared fields only. A nullable field is always present, because a provider that
 * requires every field cannot omit it otherwise.
 */
export function inputsOf(schema: Schema): fc.Arbitrary<unknown> {
  const original = originalOf(schema);
  return valuesOf(schema, schema, 0).filter((value) => original(value) === true);
}

function valuesOf(schema: Schema, root: Schema, depth: number): fc.Arbitrary<unknown> {
  const of = (part: unknown) => valuesOf(part as Schema, root, depth + 1);
  if (typeof schema.$ref === 'string')
    return of(
      schema.$ref
        .split('/')
        .slice(1)
        .reduce<unknown>((at, key) => (at as Schema)[key], root),
    );
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  for (const choice of [schema.anyOf, schema.oneOf]) if (Array.isArray(choice)) return fc.oneof(...choice.map(of));
  if (Array.isArray(schema.allOf)) return of(Object.assign({}, ...schema.allOf));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: unknown) => of({ ...schema, type })));
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(isRecord(schema.properties) ? schema.properties : {});
      const always = fields.filter(([, field]) => takesNull(field as Schema)).map(([name]) => name);
      return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, of(field)])), {
        requiredKeys: [...new Set([...((schema.required ?? []) as string[]), ...always])],
      });
    }
    case 'array':
      if (Array.isArray(schema.items)) return fc.tuple(...schema.items.map(of));
      return depth > 5
        ? fc.constant([])
        : fc.array(of(schema.items ?? {}), { minLength: Number(schema.minItems ?? 0), maxLength: 2 });
    case 'string':
      return fc.string({
        unit: 'grapheme',
        minLength: Number(schema.minLength ?? 0),
        maxLength: Number(schema.maxLength ?? 12),
      });
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? -1000), max: Number(schema.maximum ?? 1000) });
    case 'number':
      return fc.double({ min: 0.5, max: 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.constantFrom<unknown>('any', 1, { any: ['thing'] });
  }
}

function takesNull({ type, anyOf, enum: values }: Schema): boolean {
  return (
    [type].flat().includes('null') ||
    (Array.isArray(values) && values.includes(null)) ||
    (Array.isArray(anyOf) && anyOf.some((one: Schema) => one.type === 'null'))
  );
}
