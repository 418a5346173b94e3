import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';

/**
 * What a call holds as input, as a plain record of bounded size and depth: an object as it is, JSON text parsed, nothing as `{}`.
 * Keys named `__proto__` are dropped, wherever they stand. Throws `invalid_input`.
 */
export function readInput(raw: unknown, limits: Limits['call']): Readonly<Record<string, unknown>> {
  const value = typeof raw === 'string' ? parseText(raw, limits) : (raw ?? {});
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ToolError(
      'invalid_input',
      `The input must be a JSON object of named fields, not ${Array.isArray(value) ? 'a list' : typeof value}. Send the fields the tool lists.`,
    );
  }
  return withoutProto(bounded(value, limits)) as Readonly<Record<string, unknown>>;
}

/** Parses JSON text that may not be longer than the limit. Text that was cut off is refused, never completed. */
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
    throw new ToolError('invalid_input', 'The input is not valid JSON; if it was cut off, send the whole call again, shorter.', { cause });
  }
}

interface Bounded {
  readonly value: object;
  readonly hasProto: boolean;
}

function bounded(top: object, limits: Limits['call']): Bounded {
  let hasProto = false;
  let chars = 0;
  const pending: { readonly node: object; readonly depth: number }[] = [{ node: top, depth: 1 }];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const { node, depth } = entry;
    if (depth > limits.maxInputDepth) {
      throw new ToolError('invalid_input', `The input is nested deeper than ${limits.maxInputDepth} levels. Flatten it.`);
    }
    for (const key of Object.keys(node)) {
      if (key === '__proto__') hasProto = true;
      const value = (node as Readonly<Record<string, unknown>>)[key];
      chars += key.length + (typeof value === 'string' ? value.length : 4);
      if (typeof value === 'object' && value !== null) pending.push({ node: value, depth: depth + 1 });
    }
    if (chars > limits.maxInputChars) {
      throw new ToolError('invalid_input', `The input is longer than ${limits.maxInputChars} characters. Send less in one call.`);
    }
  }
  return { value: top, hasProto };
}

function withoutProto({ value, hasProto }: Bounded): unknown {
  return hasProto ? strip(value) : value;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, entry]) => (key === '__proto__' ? [] : [[key, strip(entry)]])));
}
