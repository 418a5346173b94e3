import { createHash } from 'node:crypto';
import type { Limits } from '../../core/limits.js';
import { isRecord } from '../../core/support/is-record.js';
import type { McpTool } from '../../host/mcp-client.js';

/** A tool as a server lists it, read: with the hashes of its parts, or the reason why it cannot be offered. */
export type ReadTool =
  | { readonly name: string; readonly tool: McpTool; readonly print: string }
  | { readonly name: string; readonly reason: string };

// What a fingerprint tells apart, in its order.
const printedFields = ['description', 'inputSchema', 'annotations'] as const;

const maxNameChars = 1_000;

/** Reads one entry of a list of tools. Never throws, whatever the entry is. */
export function readTool(server: string, entry: unknown, limits: Limits['mcp']): ReadTool {
  if (!isRecord(entry) || typeof entry.name !== 'string' || entry.name === '')
    return { name: '*', reason: 'an entry of its list has no name' };
  const { name, title, description, inputSchema, annotations, execution } = entry;
  if (name.length > maxNameChars) return { name: `${name.slice(0, 100)}…`, reason: 'its name is too long' };
  const hints = isRecord(annotations) ? annotations : {};
  const reason =
    schemaFault(inputSchema, limits) ??
    (depthOf(hints, limits.maxSchemaDepth) ? undefined : 'its annotations are nested too deeply') ??
    (isRecord(execution) && execution.taskSupport === 'required' ? 'it runs as a task only' : undefined);
  if (reason !== undefined) return { name, reason };
  const schema = { type: 'object', ...(inputSchema as object) };
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
  const { readOnlyHint, destructiveHint, idempotentHint } = hints;
  const tool = Object.freeze({
    server,
    name,
    title: text(title) ?? text(hints.title),
    description: text(description),
    inputSchema: schema,
    annotations: {
      readOnlyHint: flag(readOnlyHint),
      destructiveHint: flag(destructiveHint),
      idempotentHint: flag(idempotentHint),
    },
  });
  const parts = [[text(title), text(description)], schema, hints];
  return { name, tool, print: parts.map(hashOf).join('.') };
}

/** The fields in which two fingerprints differ. */
export function changedFields(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('.'), after.split('.')];
  return printedFields.filter((_, index) => old[index] !== now[index]);
}

function schemaFault(schema: unknown, { maxSchemaDepth, maxSchemaChars }: Limits['mcp']): string | undefined {
  if (!isRecord(schema) || (schema.type !== undefined && schema.type !== 'object'))
    return 'its input schema is no schema of an object';
  // Before anything that goes down into it.
  if (!depthOf(schema, maxSchemaDepth)) return `its input schema is nested deeper than ${maxSchemaDepth}`;
  if (JSON.stringify(schema).length > maxSchemaChars)
    return `its input schema is longer than ${maxSchemaChars} characters`;
  const reference = foreignReference(schema);
  return reference === undefined ? undefined : `its input schema refers to ${JSON.stringify(reference.slice(0, 200))}`;
}

/** Whether a value is nested no deeper than that. */
function depthOf(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max) return false;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return true;
}

// What stands there is data, which may look like a schema.
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** A reference that leads out of the schema. */
function foreignReference(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inside] of Object.entries(value)) {
    const isReference = key === '$ref' || key === '$dynamicRef' || key === '$recursiveRef';
    if (isReference && typeof inside === 'string' && !inside.startsWith('#')) return inside;
    const found = data.has(key) ? undefined : foreignReference(inside);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same for the same content, in whichever order a server writes the fields of an object. */
function hashOf(value: unknown): string {
  const sorted = (_: string, inside: unknown) =>
    isRecord(inside) ? Object.entries(inside).sort(([a], [b]) => (a < b ? -1 : 1)) : inside;
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex').slice(0, 32);
}
