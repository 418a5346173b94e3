import { isRecord } from '../../core/support/is-record.js';
import { jsonSafe } from '../../core/text/json-safe.js';

/** The code of an error in the place of an answer whose way broke off. */
export const brokenOff = -32_097;

/** An error in the place of an answer that is not read to its end. */
export function errorAnswer(id: number | string, message: string, code = -32_098) {
  return { jsonrpc: '2.0' as const, id, error: { code, message } };
}

/**
 * A message as the SDK takes it: an answer or an error of the wrong shape would be ignored, and its call would wait for
 * ever, as would one for facts beside it that nobody reads.
 */
export function readableMessage(message: unknown): unknown {
  if (!isRecord(message) || 'method' in message) return message;
  const { id, result, error } = message;
  if (typeof id !== 'number' && typeof id !== 'string') return message;
  if (error !== undefined) {
    const isError = isRecord(error) && Number.isInteger(error.code) && typeof error.message === 'string';
    return isError ? message : errorAnswer(id, `What it answered is an error of the wrong shape: ${shown(error)}`);
  }
  if (!isRecord(result)) return errorAnswer(id, 'What it answered is no result.');
  const { _meta, ...rest } = result;
  return _meta === undefined ? message : { ...message, result: rest };
}

/** What a server says besides, on one line: texts whole or not at all, since half a credential is not recognised. */
export function shown(data: unknown): string {
  const { copy } = jsonSafe(data, (text) => text, { maxDepth: 16, maxChars: 8_000, maxItems: 500 });
  return JSON.stringify(copy);
}

/** Why an answer is not read to its end. */
export function tooLong(maxBytes: number): string {
  return `The answer is longer than ${maxBytes} bytes. Ask for less at once.`;
}

/** What to answer in the place of a message of which only the ends are known; nothing where they do not tell its id. */
export function overlongMessage(head: string, tail: string, maxBytes: number) {
  const id = idOf(head, tail);
  return id === undefined ? undefined : errorAnswer(id, tooLong(maxBytes));
}

/** The id of a message of which only the ends are known, where it stands beside what the SDKs write there. */
export function idOf(head: string, tail: string): number | string | undefined {
  const id =
    /^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*(\d+|"[^"\\]*")\s*,/.exec(head)?.[1] ??
    /"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*)*\}\s*$/.exec(tail)?.[1];
  return id === undefined ? undefined : (JSON.parse(id) as number | string);
}
