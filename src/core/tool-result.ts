import { ToolError } from './error.js';
import type { ToolMetadata, ToolResult } from './tool.js';

/** Text becomes `{ output: text }`; a result stays. Anything else is an `execution_failed` that tells the author of the tool what to return. */
export function toToolResult<Metadata extends ToolMetadata = ToolMetadata>(value: unknown): ToolResult<Metadata> {
  if (typeof value === 'string') return { output: value };
  if (typeof value === 'object' && value !== null && 'output' in value && typeof value.output === 'string')
    return value as ToolResult<Metadata>;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  throw new ToolError('execution_failed', `The tool returned ${kind}; its execute must return text or { output: text }.`);
}
