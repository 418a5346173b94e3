import { ToolError } from './error.js';
import { kindThatCame } from './support/argument-mistake.js';
import { assertKnownKeys } from './support/known-keys.js';
import { assertNeeded, assertOptions, kindOf, type OptionKinds } from './support/option-kinds.js';
import type { Attachment, ToolMetadata, ToolResult } from './tool.js';

/**
 * Text becomes `{ output: text }`, and an object as output JSON text; of a result, what belongs to one is read once and
 * kept, since it is foreign and may change when it is read. Anything else is an `execution_failed` that tells the author
 * of the tool which field is wrong and what to return: a field that nobody reads may be a misspelt one, or one that was
 * to say that the call failed.
 */
export function toToolResult<Metadata extends ToolMetadata = ToolMetadata>(
  name: string,
  value: unknown,
): ToolResult<Metadata> {
  if (typeof value === 'string') return { output: value };
  try {
    return readResult(`${name}: the result of execute`, value) as ToolResult<Metadata>;
  } catch (cause) {
    throw new ToolError(
      'execution_failed',
      `${ToolError.from(cause).message.replace(/[^.?]$/, '$&.')} ${whatToReturn}`,
      { cause },
    );
  }
}

const whatToReturn =
  'Return text, or { output, title?, metadata?, attachments? }, whose output is text or an object for JSON text.';

function readResult(what: string, value: unknown): ToolResult {
  if (!isPlain(value)) throw new TypeError(`${what} is ${kindThatCame(value)}`);
  const { output, title, metadata, attachments } = value as { readonly [Field in keyof ToolResult]?: unknown };
  const fields = { output, title, metadata, attachments };
  assertKnownKeys(what, value as object, fields, 'field');
  if (output === undefined) throw new TypeError(`${what} is ${kindThatCame(value)}, without output`);
  assertOptions(what, fields, resultKinds);
  return {
    output: typeof output === 'string' ? output : asJson(what, output as object),
    ...(title === undefined ? {} : { title: title as string }),
    ...(metadata === undefined ? {} : { metadata: metadata as ToolMetadata }),
    ...(attachments === undefined ? {} : { attachments: (attachments as unknown[]).map(attachmentOf, what) }),
  };
}

const resultKinds: OptionKinds<ToolResult> = {
  output: {
    takes: 'text or an object',
    holds: (value) => typeof value === 'string' || Array.isArray(value) || isPlain(value),
  },
  title: kindOf.anyText,
  metadata: kindOf.record,
  attachments: kindOf.list,
};

/** Whether it is an object of which JSON tells anything; bytes it would spell out one by one. */
function isPlain(value: unknown): boolean {
  return kindOf.record.holds(value) && !ArrayBuffer.isView(value);
}

function asJson(what: string, output: object): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(output, refuseLost);
  } catch (cause) {
    throw new TypeError(`${what}: output cannot be written as JSON: ${ToolError.from(cause).message}`);
  }
  if (text === undefined) throw new TypeError(`${what}: output is nothing in JSON`);
  return text;
}

/** JSON writes `{}` for a map, an error or a promise. */
function refuseLost(_key: string, value: unknown): unknown {
  const kind = typeof value === 'object' && value !== null && !Array.isArray(value) ? kindThatCame(value) : '';
  if (kind === 'a promise' || kind.startsWith('an instance of ')) throw new TypeError(`${kind} would be lost`);
  return value;
}

const mediaTypeForm = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:;[\x20-\x7e]{0,500})?$/;
const attachmentKinds: OptionKinds<Attachment> = {
  mediaType: {
    takes: 'a media type such as "image/png"',
    isShown: true,
    holds: (value) => typeof value === 'string' && mediaTypeForm.test(value),
  },
  data: {
    takes: 'base64 text, without "data:" before it',
    holds: (value) => typeof value === 'string' && !value.startsWith('data:'),
  },
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
