import type { JsonSchemaObject } from './json-schema.js';
import { bounds, isOfType } from './keywords.js';

const pairs: readonly (readonly [least: string, most: string])[] = [
  ...['Length', 'Items', 'Properties', 'Contains'].map((of) => [`min${of}`, `max${of}`] as const),
  ...['minimum', 'exclusiveMinimum'].flatMap((least) =>
    ['maximum', 'exclusiveMaximum'].map((most) => [least, most] as const),
  ),
];

/**
 * In one object of a mended schema, removes the keywords that no value can satisfy together, and passes a line for each
 * removal to `note`. Keywords of different objects are not compared.
 */
export function withoutContradictions(schema: JsonSchemaObject, note: (text: string) => void): JsonSchemaObject {
  const left = new Set<string>();
  const leave = (keywords: readonly string[]) => {
    note(`no value satisfies ${keywords.join(' and ')} together, so they are left out`);
    for (const keyword of keywords) left.add(keyword);
  };
  for (const [least, most] of pairs) {
    const [from, to] = [schema[least], schema[most]];
    const isOpen = least.startsWith('exclusive') || most.startsWith('exclusive');
    if (Number(from) > Number(to) || (isOpen && from === to && from !== undefined)) leave([least, most]);
  }
  for (const keyword of ['const', 'enum'].filter((each) => each in schema)) {
    const choices = keyword === 'enum' ? (schema.enum as readonly unknown[]) : [schema.const];
    const limits = ['type', 'enum', ...bounds.keys()].filter((each) => each in schema && each !== keyword);
    const failing = limits.filter((limit) => !choices.some((choice) => holds(choice, limit, schema[limit])));
    if (failing.length > 0) leave([keyword, ...failing]);
  }
  const { required = [], properties = {}, additionalProperties, patternProperties } = schema;
  const isForbidden = (name: string) =>
    Object.hasOwn(properties as object, name)
      ? (properties as JsonSchemaObject)[name] === false
      : additionalProperties === false && patternProperties === undefined;
  const forbidden = (required as readonly string[]).filter(isForbidden);
  if (forbidden.length > 0) {
    note(`${forbidden.join(', ').slice(0, 200)} is required and forbidden, and is read as neither`);
    left.add('additionalProperties').add('unevaluatedProperties');
  }
  if (left.size === 0) return schema;
  const opened = Object.fromEntries(forbidden.map((name) => [name, {}]));
  const names = (required as readonly string[]).filter((name) => !forbidden.includes(name));
  const kept = Object.entries(schema).filter(([keyword]) => !left.has(keyword));
  if (forbidden.length === 0) return Object.fromEntries(kept);
  return { ...Object.fromEntries(kept), required: names, properties: { ...(properties as object), ...opened } };
}

function holds(choice: unknown, keyword: string, limit: unknown): boolean {
  if (keyword === 'type') return [limit].flat().some((type) => isOfType(choice, type));
  if (keyword === 'enum') return typeof choice === 'object' || (limit as readonly unknown[]).includes(choice);
  const [of, fits] = bounds.get(keyword) ?? [];
  const measure = of?.(choice);
  return measure === undefined || fits === undefined || fits(measure, limit as number);
}
