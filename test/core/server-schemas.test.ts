import { expect, test } from 'vitest';
import { inputSchema } from '../../src/core/schema/input.js';
import mcpServers from '../fixtures/mcp-server-schemas.json' with { type: 'json' };
import { eachRow } from '../support/each-row.js';

type Schema = Readonly<Record<string, unknown>>;

/** The smallest input that a schema of the fixture accepts. */
function leastInput(schema: Schema, root: Schema): unknown {
  const { $ref, enum: choices, const: constant, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') {
    const found = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Schema)[key], root);
    return leastInput(found as Schema, root);
  }
  if (constant !== undefined) return constant;
  if (Array.isArray(choices)) return choices[0];
  const [first] = (anyOf ?? oneOf ?? []) as readonly Schema[];
  if (first !== undefined && type === undefined) return leastInput(first, root);
  const parts = ((allOf ?? []) as readonly Schema[]).map((part) => leastInput(part, root) as object);
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === 'object' || schema.properties !== undefined || parts.length > 0) {
    const { properties = {}, required = [] } = schema as {
      readonly properties?: Readonly<Record<string, Schema>>;
      readonly required?: readonly string[];
    };
    const own = required.map((name) => [name, leastInput(properties[name] ?? {}, root)]);
    return Object.assign({}, ...parts, Object.fromEntries(own));
  }
  if (kind === 'array') {
    const { minItems = 0, items = {} } = schema as { readonly minItems?: number; readonly items?: Schema };
    return Array.from({ length: minItems }, () => leastInput(items, root));
  }
  if (kind === 'integer' || kind === 'number') return typeof schema.minimum === 'number' ? schema.minimum : 1;
  if (kind === 'boolean') return true;
  if (kind === 'null') return null;
  const texts: Readonly<Record<string, string>> = {
    uri: 'https://example.com/a',
    uuid: '5f2b6ad0-3a5f-4f57-9d5e-0a3c5b1c2d3e',
    date: '2026-01-31',
    'date-time': '2026-01-31T10:00:00Z',
    json: '{}',
  };
  const { format = '', minLength = 1 } = schema as { readonly format?: string; readonly minLength?: number };
  return texts[format] ?? 'a'.repeat(Math.max(1, minLength));
}

const rows = Object.entries(mcpServers).flatMap(([server, tools]) =>
  Object.entries(tools).map(([tool, schema]) => [`${server} ${tool}`, schema as Schema] as const),
);

test('every tool of thirteen servers accepts the smallest input of its schema', () =>
  eachRow(rows, async ([name, schema]) => {
    const { parse } = inputSchema(name, schema, undefined, true);
    const input = leastInput(schema, schema);
    expect(await parse(input)).toEqual({ ok: true, value: input });
    const required = (schema.required as readonly string[] | undefined) ?? [];
    if (required.length > 0) expect(await parse({})).toMatchObject({ ok: false });
  }));
