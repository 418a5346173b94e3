import type { PlainCallResult, ToolCallResult } from '../../core/call.js';
import { ToolError, type ToolErrorOptions } from '../../core/error.js';

/** A result as plain data, with all that {@link revivedResult} makes the same result of again. */
export function keptResult(result: ToolCallResult): PlainCallResult {
  if (result.ok) return result;
  const { interrupt, partialOutput, metadata, retryAfterMs } = result.error;
  const error = { ...result.error.toJSON(), interrupt, partialOutput, metadata, retryAfterMs };
  return { ...result, error };
}

/** A result that was kept as plain data. */
export function revivedResult(plain: PlainCallResult): ToolCallResult {
  if (plain.ok) return plain;
  const { code, message, retryable: _, ...kept } = plain.error;
  // JSON has null for numbers that are not finite.
  const options = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== null));
  return { ...plain, error: new ToolError(code, message, options satisfies ToolErrorOptions) };
}
