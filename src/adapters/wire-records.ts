import type { ToolCall } from '../core/call.js';
import { isRecord } from '../core/support/is-record.js';

/** Something that came over a wire as a JSON object. */
export type WireRecord = Readonly<Record<string, unknown>>;

/** The objects of a wire list, in order; anything that is no list is an empty one. */
export function recordsOf(value: unknown): WireRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/**
 * A call from wire fields. A missing id becomes `call_N` by position and a missing name `unnamed`, so that even a
 * broken call gets its one answer.
 */
export function wireCall(id: unknown, name: unknown, input: unknown, index: number): ToolCall {
  return {
    id: typeof id === 'string' && id !== '' ? id : `call_${index + 1}`,
    name: typeof name === 'string' && name !== '' ? name : 'unnamed',
    input,
  };
}

/** Whether a patch can name this path: text of one line, of which nothing would be cut off. */
export function isPatchPath(path: unknown): path is string {
  return typeof path === 'string' && /^\S(?:.*\S)?$/.test(path);
}
