import { isRecord } from '../../core/support/check-values.js';
import { jsonSafe } from '../../core/text/json-safe.js';

/** This client's error code for an answer whose stream broke off. */
export const brokenOff = -32_097;

/** Makes an error response that replaces an answer. */
export function errorAnswer(id: number | string, message: string, code = -32_098) {
  return { jsonrpc: '2.0' as const, id, error: { code, message } };
}

/**
 * Rebuilds a response from its known fields: the SDK ignores a response with an unknown field or an invalid `_meta`,
 * and the request would wait forever. Removes `_meta`, and replaces an invalid result or error by an error.
 */
function readableMessage(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { id, method, result } = message;
  const error = message.error ?? undefined;
  if (typeof id !== 'number' && typeof id !== 'string') return message;
  if (method !== undefined && result === undefined && error === undefined) return message;
  if (error !== undefined) {
    const isError = isRecord(error) && Number.isInteger(error.code) && typeof error.message === 'string';
    return isError
      ? { jsonrpc: '2.0', id, error }
      : errorAnswer(id, `The server returned an invalid error: ${jsonLine(error)}`);
  }
  if (!isRecord(result)) return errorAnswer(id, 'The server returned an invalid result.');
  const { _meta, ...rest } = result;
  return { jsonrpc: '2.0', id, result: rest };
}

/** Parses the messages in a JSON text and makes them readable for the SDK. Throws for a text that is not JSON. */
export function readMessages(text: string): readonly unknown[] {
  // trim also removes a byte order mark.
  return [JSON.parse(text.trim()) as unknown].flat().map(readableMessage);
}

/** Returns the JSON-RPC error in a text, as the answer to a request; undefined for any other text. */
export function errorIn(text: string, id: number | string): unknown {
  try {
    const { jsonrpc, error } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return jsonrpc === '2.0' && isRecord(error) ? readableMessage({ id, error }) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Additional data of a server as one line. Texts are kept whole or not at all, since the scrubber would not recognise
 * half a credential.
 */
export function jsonLine(data: unknown): string {
  const { copy } = jsonSafe(data, (text) => text, { maxDepth: 16, maxChars: 8_000, maxItems: 500 });
  return JSON.stringify(copy);
}

/** The reason why an answer over the size limit is not read. */
export function tooLong(maxBytes: number): string {
  return `The answer is longer than ${maxBytes} bytes. Ask for less at once.`;
}

/** The error that replaces a message that is too long; undefined if its ends do not show its id. */
export function overlongMessage(head: string, tail: string, maxBytes: number) {
  const id = idOf(head, tail);
  return id === undefined ? undefined : errorAnswer(id, tooLong(maxBytes));
}

/** Finds the id in the first or last characters of a message, in the field orders that the SDKs write. */
export function idOf(head: string, tail: string): number | string | undefined {
  const id =
    /^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*(\d+|"[^"\\]*")\s*,/.exec(head)?.[1] ??
    /"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*)*\}\s*$/.exec(tail)?.[1];
  return id === undefined ? undefined : (JSON.parse(id) as number | string);
}
