import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaDialect } from '../../src/adapters/schema-dialects.js';
import { isRecord } from '../../src/core/support/check-values.js';

type Schema = Readonly<Record<string, unknown>>;

const lenient = { strict: false, logger: false, validateFormats: false } as const;
const draft2020 = new Ajv2020(lenient);

const shared = 'type enum anyOf properties required items description format pattern minimum maximum minItems maxItems';
const words: Readonly<Record<string, ReadonlySet<string>>> = {
  'openai-strict': new Set(`${shared} additionalProperties exclusiveMinimum exclusiveMaximum multipleOf`.split(' ')),
  gemini: new Set(
    `${shared} nullable minLength maxLength minProperties maxProperties default title propertyOrdering example`.split(
      ' ',
    ),
  ),
  plain: new Set(
    `${shared} additionalProperties exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength default title uniqueItems`.split(
      ' ',
    ),
  ),
};
const fieldNames: Partial<Record<SchemaDialect, RegExp>> = {
  anthropic: /^[\w.-]{1,64}$/,
  gemini: /^[A-Za-z_]\w{0,63}$/,
};

/** The errors of a provider for a schema in its dialect, by its documented rules. Empty if the provider accepts it. */
export function refusals(schema: Schema, dialect: SchemaDialect): string[] {
  const found: string[] = [];
  if (schema.type !== 'object' || !isRecord(schema.properties)) found.push('the top is no object with properties');
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const'])
    if (keyword in schema) found.push(`${keyword} at the top`);
  if (draft2020.validateSchema(schema) !== true) found.push(draft2020.errorsText());
  everyNode(schema, 'input', (node, path) => {
    const types = [node.type].flat().filter((type) => type !== undefined);
    const fields = Object.keys(isRecord(node.properties) ? node.properties : {});
    const required = (node.required ?? []) as string[];
    const isOpen = node.additionalProperties !== false || required.length !== fields.length;
    const choices = Array.isArray(node.enum) ? node.enum : [];
    const rules: readonly (readonly [dialects: readonly SchemaDialect[], isBroken: boolean, text: string])[] = [
      [['openai', 'openai-strict', 'gemini'], types.includes('array') && !('items' in node), 'has no items'],
      [
        ['openai-strict', 'gemini', 'plain'],
        required.some((name) => !fields.includes(name)),
        'requires what is not there',
      ],
      [['gemini', 'plain'], types.length > 1, 'has several types'],
      [['openai-strict'], types.length === 0 && !('anyOf' in node), 'has no type'],
      [['openai-strict'], types.includes('object') && isOpen, 'is open'],
      [['gemini'], 'anyOf' in node && Object.keys(node).length > 1, 'says more than anyOf'],
      [['gemini'], types.includes('null'), 'is null'],
      [['gemini'], choices.some((one) => typeof one !== 'string' || one === ''), 'lists what is no text'],
      [[dialect], fields.some((name) => fieldNames[dialect]?.test(name) === false), 'has a field with a bad name'],
    ];
    for (const [dialects, isBroken, text] of rules)
      if (isBroken && dialects.includes(dialect)) found.push(`${path} ${text}`);
    for (const word of Object.keys(node)) if (words[dialect]?.has(word) === false) found.push(`${path} says ${word}`);
  });
  return found;
}

/** A validator for schemas of a dialect. */
export function validatorOf(schema: Schema): ValidateFunction {
  return new Ajv2020(lenient).compile(withUnions(schema) as object);
}

/** A validator for the original schemas, in draft 7. */
export function originalOf({ $schema: _, ...schema }: Schema): ValidateFunction {
  return new Ajv(lenient).compile(schema);
}

/** Translates OpenAPI's `nullable` to JSON Schema. */
function withUnions(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withUnions);
  if (!isRecord(node)) return node;
  const { nullable, ...rest } = node;
  const inside = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, withUnions(one)]));
  return nullable === true
    ? { anyOf: [inside, { type: 'null' }] }
    : 'nullable' in node
      ? { ...inside, nullable: withUnions(nullable) }
      : inside;
}

function everyNode(node: unknown, path: string, visit: (node: Schema, path: string) => void): void {
  if (!isRecord(node)) return;
  visit(node, path);
  for (const key of ['properties', '$defs', 'definitions'])
    for (const [name, one] of Object.entries(isRecord(node[key]) ? node[key] : {}))
      everyNode(one, `${path}.${name}`, visit);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
    for (const one of Array.isArray(node[key]) ? node[key] : []) everyNode(one, `${path}.${key}`, visit);
  for (const key of ['items', 'additionalProperties']) everyNode(node[key], `${path}.${key}`, visit);
}
