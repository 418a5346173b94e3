import { ToolError } from './error.js';
import {
  assertKnownKeys,
  assertNeeded,
  assertOptions,
  kindName,
  kindOf,
  type OptionKinds,
} from './support/check-values.js';
import type { Attachment, ToolMetadata, ToolResult } from './tool-result.js';

/**
 * Reads the value that `execute` returned: text becomes `{ output: text }`, and an object as output becomes JSON text.
 * Each known field is read once and copied, since a getter may return another value the next time. Any other value
 * throws `execution_failed`, whose message tells the author which field is wrong and what to return. An unknown field
 * also throws, since the name may be misspelt, or the author may have meant to report a failure.
 */
export function toToolResult<Metadata extends ToolMetadata = ToolMetadata>(
  name: string,
  value: unknown,
): ToolResult<Metadata> {
  const text = typeof value === 'string' ? value : onlyText(value);
  if (text !== undefined) return { output: text };
  try {
    return readResult(`${name}: the result of execute`, value) as ToolResult<Metadata>;
  } catch (cause) {
    const what = ToolError.from(cause).message.replace(/[^.?]$/, '$&.');
    throw new ToolError('execution_failed', `${what} ${whatToReturn}`, { cause });
  }
}

/**
 * The text of a plain `{ output: text }`, the usual result; undefined for any other value. This shortcut saves a
 * twentieth of the dispatch time.
 */
function onlyText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return undefined;
  if (Object.keys(value).length !== 1) return undefined;
  const { output } = value as { readonly output?: unknown };
  return typeof output === 'string' ? output : undefined;
}

const whatToReturn =
  'Return text, or { output, title?, metadata?, attachments? }. An object as output becomes JSON text.';

function readResult(what: string, value: unknown): ToolResult {
  if (!isPlain(value)) throw new TypeError(`${what} is ${kindName(value)}`);
  const { output, title, metadata, attachments } = value as { readonly [Field in keyof ToolResult]?: unknown };
  const fields = { output, title, metadata, attachments };
  assertKnownKeys(what, value as object, fields, 'field');
  if (output === undefined) throw new TypeError(`${what} is ${kindName(value)}, without output`);
  assertOptions(what, fields, resultKinds);
  return {
    output: typeof output === 'string' ? output : asJson(what, output),
    ...(title === undefined ? {} : { title: title as string }),
    ...(metadata === undefined ? {} : { metadata: metadata as ToolMetadata }),
    ...(attachments === undefined ? {} : { attachments: (attachments as unknown[]).map(attachmentOf, what) }),
  };
}

/** Whether a value is an object but not a byte array, which JSON would write byte by byte. */
const isPlain = (value: unknown) => kindOf.record.holds(value) && !ArrayBuffer.isView(value);
const anyOutput = (value: unknown) => typeof value === 'string' || Array.isArray(value) || isPlain(value);
const resultKinds: OptionKinds<ToolResult> = {
  output: { takes: 'text or an object', holds: anyOutput },
  ...{ title: kindOf.anyText, metadata: kindOf.record, attachments: kindOf.list },
};

const lostKinds = /^(?:an instance of |(?:a promise|a function|a symbol|bytes)$)/;

/** Throws for values that JSON loses, such as a map, an error, a promise, a function or bytes. */
function asJson(what: string, output: unknown): string {
  const refuseLost = (key: string, value: unknown) => {
    const kind = Array.isArray(value) ? '' : kindName(value);
    const isLost = lostKinds.test(kind) || (key === '' && value === undefined);
    if (isLost) throw new TypeError(`${kind} would be lost`);
    return value;
  };
  try {
    return JSON.stringify(output, refuseLost);
  } catch (cause) {
    throw new TypeError(`${what}: output cannot be written as JSON: ${ToolError.from(cause).message}`);
  }
}

const mediaTypeForm = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:;[\x20-\x7e]{0,500})?$/;
const isMediaType = (value: unknown) => typeof value === 'string' && mediaTypeForm.test(value);
const isBase64 = (value: unknown) => typeof value === 'string' && !value.startsWith('data:');
const attachmentKinds: OptionKinds<Attachment> = {
  mediaType: { takes: 'a media type such as "image/png"', isShown: true, holds: isMediaType },
  data: { takes: 'base64 text, without "data:" before it', holds: isBase64 },
  name: kindOf.anyText,
};

function attachmentOf(this: string, value: unknown, index: number): Attachment {
  const what = `${this}: attachments[${index}]`;
  assertNeeded(what, value, 'mediaType', 'data');
  const { mediaType, data, name } = value as Attachment;
  const fields = { mediaType, data, ...(name === undefined ? {} : { name }) };
  assertKnownKeys(what, value as object, attachmentKinds, 'field');
  assertOptions(what, fields, attachmentKinds);
  return fields;
}
