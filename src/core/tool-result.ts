import { ToolError } from './error.js';
import type { Attachment, ToolMetadata, ToolResult } from './tool.js';

/**
 * Text becomes `{ output: text }`, and an object as output JSON text; of a result, what belongs to one is read once and kept, since it is foreign and may
 * change when it is read. Attachments that are none are left out. Anything else is an `execution_failed` that tells the
 * author of the tool what to return.
 */
export function toToolResult<Metadata extends ToolMetadata = ToolMetadata>(value: unknown): ToolResult<Metadata> {
  if (typeof value === 'string') return { output: value };
  if (typeof value === 'object' && value !== null && 'output' in value) {
    const { output: given, title, metadata, attachments } = value as Partial<Record<keyof ToolResult, unknown>>;
    const output = typeof given === 'object' && given !== null ? asJson(given) : given;
    if (typeof output === 'string') {
      return {
        output,
        ...(typeof title === 'string' ? { title } : {}),
        ...(typeof metadata === 'object' && metadata !== null ? { metadata: metadata as Metadata } : {}),
        ...(Array.isArray(attachments) ? { attachments: attachments.flatMap(toAttachment) } : {}),
      };
    }
  }
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  throw new ToolError(
    'execution_failed',
    `The tool returned ${kind}; its execute must return text or { output: text }.`,
  );
}

function asJson(output: object): string | undefined {
  try {
    return JSON.stringify(output);
  } catch (cause) {
    const reason = `The output of the tool cannot be written as JSON: ${ToolError.from(cause).message}`;
    throw new ToolError('execution_failed', reason, { cause });
  }
}

const mediaTypeForm = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:;[\x20-\x7e]{0,500})?$/;

function toAttachment(value: unknown): Attachment[] {
  if (typeof value !== 'object' || value === null) return [];
  const { mediaType, data, name } = value as Partial<Record<keyof Attachment, unknown>>;
  if (typeof mediaType !== 'string' || !mediaTypeForm.test(mediaType) || typeof data !== 'string') return [];
  return [{ mediaType, data, ...(typeof name === 'string' ? { name } : {}) }];
}
