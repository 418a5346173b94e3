import type { PlainCallResult, ToolCallResult } from '../../core/call.js';
import { ToolError, type ToolErrorCode } from '../../core/error.js';

/** A result as plain data. */
export function plainResult(result: ToolCallResult): PlainCallResult {
  return result.ok ? result : { ...result, error: result.error.toJSON() };
}

/** A result that was kept as plain data. */
export function revivedResult(plain: PlainCallResult): ToolCallResult {
  if (plain.ok) return plain;
  const { code, message } = plain.error;
  return { ...plain, error: new ToolError(code as ToolErrorCode, message) };
}
