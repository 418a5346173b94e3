import { isRecord } from '../../core/support/is-record.js';

/** The code of an error in the place of an answer whose way broke off. */
export const brokenOff = -32_097;

/** An error in the place of an answer that is not read to its end. */
export function errorAnswer(id: number | string, message: string, code = -32_098) {
  return { jsonrpc: '2.0' as const, id, error: { code, message } };
}

/**
 * A message as the SDK takes it: an answer that is no object would be ignored, and its call would wait for ever, as
 * would one for facts beside it that nobody reads.
 */
export function readableMessage(message: unknown): unknown {
  if (!isRecord(message) || 'method' in message || 'error' in message) return message;
  const { id, result } = message;
  if (typeof id !== 'number' && typeof id !== 'string') return message;
  if (!isRecord(result)) return errorAnswer(id, 'What it answered is no result.');
  const { _meta, ...rest } = result;
  return _meta === undefined ? message : { ...message, result: rest };
}

/** Why an answer is not read to its end. */
export function tooLong(maxBytes: number): string {
  return `The answer is longer than ${maxBytes} bytes. Ask for less at once.`;
}

/** What to answer in the place of a message of which only the ends are known; nothing where they do not tell its id. */
export function overlongMessage(head: string, tail: string, maxBytes: number) {
  const id =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)/.exec(head)?.[1] ??
    /"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)?.[1];
  return id === undefined ? undefined : errorAnswer(Number(id), tooLong(maxBytes));
}
