import type { Limits } from '../../core/limits.js';
import type { JsonSchemaObject } from '../../core/schema/json-schema.js';
import { mendSchema, objectSchema } from '../../core/schema/mend.js';
import { isRecord } from '../../core/support/check-values.js';
import { stableHash } from '../../core/text/content-hash.js';
import { firstChars } from '../../core/text/cut.js';
import type { McpTool } from '../../ports/mcp-client.js';
import { text } from './read-server-result.js';

/** A tool in the list of a server: with its fingerprint, or with the reason why it cannot be offered. */
export type ReadTool =
  | { readonly name: string; readonly tool: McpTool; readonly print: string; readonly notes: readonly string[] }
  | { readonly name: string; readonly reason: string };

// The parts of a fingerprint, in order.
const printedFields = ['description', 'inputSchema', 'annotations'] as const;

const maxNameChars = 1_000;

/** Reads one entry of a list of tools. Never throws. */
export function readTool(server: string, entry: unknown, limits: Limits['mcp']): ReadTool {
  if (!isRecord(entry) || typeof entry.name !== 'string' || entry.name === '')
    return { name: '*', reason: 'an entry of its list has no name' };
  const { name, title, description, inputSchema, annotations, execution } = entry;
  if (name.length > maxNameChars) return { name: `${firstChars(name, 100)}…`, reason: 'its name is too long' };
  const hints = isRecord(annotations) ? annotations : {};
  const read = readSchema(inputSchema, limits);
  if ('reason' in read) return { name, ...read };
  if (!isWithinDepth(hints, limits.maxSchemaDepth)) return { name, reason: 'its annotations are nested too deeply' };
  if (isRecord(execution) && execution.taskSupport === 'required')
    return { name, reason: 'it can only be run as an MCP task, which this client does not support' };
  const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
  const { readOnlyHint, destructiveHint, idempotentHint } = hints;
  const tool = Object.freeze({
    server,
    name,
    title: text(title) ?? text(hints.title),
    description: text(description),
    inputSchema: read.schema,
    annotations: {
      readOnlyHint: flag(readOnlyHint),
      destructiveHint: flag(destructiveHint),
      idempotentHint: flag(idempotentHint),
    },
  });
  const parts = [[text(title), text(description)], read.schema, hints];
  return { name, tool, print: parts.map((part) => stableHash(part).slice(0, 32)).join('.'), notes: read.notes };
}

/** The fields in which two fingerprints differ. */
export function changedFields(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('.'), after.split('.')];
  return printedFields.filter((_, index) => old[index] !== now[index]);
}

/** Returns a usable schema with notes on its repairs, or the reason why the schema cannot be used. */
function readSchema(
  given: unknown,
  { maxSchemaDepth, maxSchemaChars }: Limits['mcp'],
): { readonly schema: JsonSchemaObject; readonly notes: readonly string[] } | { readonly reason: string } {
  const read = objectSchema(given);
  const schema = read ?? { type: 'object' };
  // The depth is checked before any function recurses into the schema.
  if (!isWithinDepth(schema, maxSchemaDepth))
    return { reason: `its input schema is nested deeper than ${maxSchemaDepth}` };
  if (JSON.stringify(schema).length > maxSchemaChars)
    return { reason: `its input schema is longer than ${maxSchemaChars} characters` };
  // Only the notes are used: the schema is offered unchanged. The parser of the inputs loosens the schema later, since
  // the server validates its inputs itself. References are never fetched (SSRF).
  const { notes } = mendSchema(schema, true);
  return { schema, notes: read === undefined ? ['the input: it does not describe an object'] : notes };
}

/** Whether a value is nested at most `max` deep. */
function isWithinDepth(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max) return false;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return true;
}
