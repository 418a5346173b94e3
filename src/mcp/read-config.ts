import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ToolError } from '../core/error.js';
import { assertArgument, isRecord, kindOf } from '../core/support/check-values.js';
import { slipsOf } from '../core/support/near-names.js';
import { errorCode } from '../core/support/os-error-code.js';
import { assertServerConfig, configNames, type McpServerConfig } from './connection/server-config.js';

/** Fields that only the host program may set; they are ignored in a config file. */
const hostFields: ReadonlySet<string> = new Set(['trusted', 'source', 'authProvider']);

/**
 * Reads a config file of the common form `{ "mcpServers": { name: { command, … } } }` without starting a server. The
 * servers get the file as their `source`, so a manager starts them only after consent. Trust cannot be set in a file.
 * Unknown fields are ignored, but a misspelt known field is an error; `disabled` is supported. Rejects with
 * `file_not_found` or `invalid_input`.
 */
export async function readMcpConfig(path: string): Promise<{ readonly servers: Record<string, McpServerConfig> }> {
  assertArgument('readMcpConfig takes the path of a file', path, kindOf.text, "readMcpConfig('.mcp.json')");
  const source = resolve(path);
  const file = await contentOf(source);
  const entries = isRecord(file) ? (file.mcpServers ?? {}) : undefined;
  if (!isRecord(entries)) throw unusable(source, 'it does not contain an object "mcpServers"');
  // fromEntries also defines a property named __proto__.
  return {
    servers: Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, configOf(name, entry, source)])),
  };
}

function configOf(name: string, entry: unknown, source: string): McpServerConfig {
  if (!isRecord(entry)) throw unusable(source, `${JSON.stringify(name)} is not an object`);
  for (const key of Object.keys(entry)) {
    const [near] = slipsOf(key, [...configNames, 'disabled'], key.length < 8 ? 1 : 2);
    if (near === undefined || key === near || configNames.has(key)) continue;
    throw unusable(source, `${JSON.stringify(name)} has the field ${key}. Did you mean "${near}"?`);
  }
  const known = Object.entries(entry).filter(([key]) => configNames.has(key) && !hostFields.has(key));
  const config = { ...Object.fromEntries(known), ...(entry.disabled === true && { enabled: false }), source };
  try {
    assertServerConfig(name, config);
  } catch (cause) {
    throw unusable(source, cause instanceof Error ? cause.message : String(cause), cause);
  }
  return config;
}

async function contentOf(path: string): Promise<unknown> {
  try {
    if (!(await stat(path)).isFile()) throw unusable(path, 'it is not a regular file');
    return JSON.parse((await readFile(path, 'utf8')).replace(/^\ufeff/, ''));
  } catch (cause) {
    if (ToolError.is(cause)) throw cause;
    if (errorCode(cause) === 'ENOENT')
      throw new ToolError('file_not_found', `The MCP config file ${path} does not exist.`, { cause });
    throw unusable(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function unusable(path: string, reason: string, cause?: unknown): ToolError {
  return new ToolError('invalid_input', `The MCP config ${path} cannot be used: ${reason.replace(/[^.!?]$/, '$&.')}`, {
    cause,
  });
}
