import type { ToolCall } from '../core/call.js';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import { isThenable } from '../core/support/check-values.js';

/**
 * A copy of the list of calls of a turn. The input of a call is copied when the call is prepared. Throws a TypeError if
 * the value is not a list, or if a call has no id or name. The usual cause is a provider's answer that no adapter has
 * converted. The message shows the code to write instead.
 */
export function readCalls(calls: unknown, what: 'execute' | 'decide' = 'execute'): ToolCall[] {
  const mistake = (wanted: string, came: readonly unknown[], otherwise: string) => {
    const [adapter, entry] = adapterFor(came.map(fieldsOf)) ?? [];
    const next = adapter === undefined ? otherwise : `execute(${adapter}(answer)), with ${adapter} from '${entry}'`;
    return new TypeError(`${what} takes ${wanted}: write ${next}`);
  };
  const example = "{ id: 'call_1', name: 'Read', input: {} }";
  if (isThenable(calls)) throw mistake('a list of calls, not a promise', [], 'execute(await calls)');
  if (!Array.isArray(calls)) throw mistake('a list of calls', [calls], 'execute([call])');
  return Array.from(calls, (call: unknown, index) => {
    const taken = readCall(call);
    if (taken !== undefined) return taken;
    const fields = Object.keys(fieldsOf(call)).slice(0, 3).join(', ') || 'no fields';
    throw mistake(
      `calls { id, name, input } with texts for id and name, but calls[${index}] has ${fields}`,
      calls,
      what === 'decide' ? `decide(${example})` : `execute([${example}])`,
    );
  });
}

/** The fields that contain the input in the calls of providers, before an adapter converts the calls. */
const rawFields = ['arguments', 'args', 'parameters'];

function readCall(call: unknown): ToolCall | undefined {
  try {
    const { id, name, input } = call as Partial<ToolCall>;
    const isRaw = input === undefined && rawFields.some((field) => fieldsOf(call)[field] !== undefined);
    return isName(id) && isName(name) && !isRaw ? { id, name, input } : undefined;
  } catch {
    return undefined;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The adapters, each with the fields that identify the answers of its provider. */
const adapters = [
  ['fromAi', 'toolwright/ai-sdk', /^(?:toolCallId|toolName|toolCalls)$/],
  ['fromGemini', 'toolwright/gemini', /^(?:candidates|functionCalls?|parts)$/],
  ['fromOpenAI', 'toolwright/openai', /^(?:function|custom|call_id|tool_calls|choices|arguments|output)$/],
  ['fromAnthropic', 'toolwright/anthropic', /^(?:content|text|thinking|stop_reason|type)$/],
] as const;

function adapterFor(came: readonly Fields[]): (typeof adapters)[number] | undefined {
  const isMark = ([key, value]: readonly [string, unknown]) =>
    value !== undefined && (key !== 'type' || value === 'tool_use');
  const marks = came.flatMap((one) => Object.entries(one).filter(isMark));
  return adapters.find(([, , mark]) => marks.some(([key]) => mark.test(key)));
}

type Fields = Readonly<Record<string, unknown>>;

/** A copy of the fields; empty for an object that throws when it is read. */
function fieldsOf(value: unknown): Fields {
  try {
    return typeof value === 'object' ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * The input of a call as a plain record of bounded size and depth. An object is copied, JSON text is parsed, and a
 * missing input becomes `{}`. Keys named `__proto__` are dropped at every level. Throws `invalid_input`.
 */
export function readInput(raw: unknown, limits: Limits['call']): Readonly<Record<string, unknown>> {
  const value = typeof raw === 'string' ? parseText(raw, limits) : (raw ?? {});
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ToolError(
      'invalid_input',
      `The input must be a JSON object of named fields, not ${Array.isArray(value) ? 'a list' : value === null ? 'null' : typeof value}. Send the fields the tool lists.`,
    );
  }
  try {
    assertBounded(value, limits);
    // Parsed JSON text is a new object; the caller's object is copied, so that it cannot change after the check
    // (TOCTOU).
    return (typeof raw === 'string' ? withoutProto(value, raw) : copy(value)) as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    if (ToolError.is(thrown)) throw thrown;
    throw new ToolError(
      'invalid_input',
      `The input cannot be read: ${ToolError.from(thrown).message}. Send plain values.`,
      {
        cause: thrown,
      },
    );
  }
}

/**
 * A copy of an input of bounded size, for foreign code that may change the copy. Keys named `__proto__` are dropped.
 */
export function copyInput<Input>(input: Input): Input {
  return copy(input) as Input;
}

/**
 * The parsed value of a JSON text, without keys named `__proto__`, even if the text escapes letters of the key. The
 * depth of the value must be bounded.
 */
export function withoutProto(value: unknown, text: string): unknown {
  return text.includes('__proto__') || /\\u00[567]/.test(text) ? copy(value) : value;
}

/** Parses JSON text up to the length limit. Text that was cut off is refused, never completed. */
function parseText(text: string, limits: Limits['call']): unknown {
  if (text.trim() === '') return {};
  if (text.length > limits.maxInputChars) {
    throw new ToolError(
      'invalid_input',
      `The input is ${text.length} characters long; the limit is ${limits.maxInputChars}. Send less in one call.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ToolError(
      'invalid_input',
      'The input is not valid JSON; if it was cut off, send the whole call again, shorter.',
      { cause },
    );
  }
}

function assertBounded(top: object, limits: Limits['call']): void {
  let chars = 0;
  const pending: { readonly node: object; readonly depth: number }[] = [{ node: top, depth: 1 }];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const { node, depth } = entry;
    if (depth > limits.maxInputDepth) {
      throw new ToolError(
        'invalid_input',
        `The input is nested deeper than ${limits.maxInputDepth} levels. Flatten it.`,
      );
    }
    for (const key of Object.keys(node)) {
      const value = (node as Readonly<Record<string, unknown>>)[key];
      chars += key.length + (typeof value === 'string' ? value.length : 4);
      if (typeof value === 'object' && value !== null) pending.push({ node: value, depth: depth + 1 });
    }
    if (chars > limits.maxInputChars) {
      throw new ToolError(
        'invalid_input',
        `The input is longer than ${limits.maxInputChars} characters. Send less in one call.`,
      );
    }
  }
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  const own: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const field: unknown = value[key as never];
    // A host may pass undefined for an omitted field; JSON has no undefined.
    if (key !== '__proto__' && field !== undefined) own[key] = copy(field);
  }
  return own;
}

/**
 * The input that a hook or permission puts in place of the old input: an object of fields, or the JSON text of such an
 * object. Undefined and null mean no replacement. Throws a TypeError for any other value, because the tool would run
 * with an empty input.
 */
export function readRewrite(updatedInput: unknown): unknown {
  if (updatedInput === undefined || updatedInput === null) return undefined;
  if (isPlainObject(updatedInput) || (typeof updatedInput === 'string' && updatedInput.trim() !== ''))
    return updatedInput;
  throw new TypeError('its updatedInput is not an object of named fields');
}

/**
 * Whether a value is a plain object of any realm: not a list, not an instance of a class, not an object that inherits
 * fields.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'hasOwnProperty'))
  );
}
