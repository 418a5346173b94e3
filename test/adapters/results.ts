import { ToolError } from 'toolwright';
import type { ToolCallFailure, ToolCallSuccess } from '../../src/core/call.js';

/** One transparent PNG pixel, in base64. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export function succeeded(output: string, more: Partial<ToolCallSuccess> = {}): ToolCallSuccess {
  return { callId: 'call_1', name: 'Read', ok: true, output, durationMs: 1, ...more };
}

export function failed(output: string, more: Partial<ToolCallFailure> = {}): ToolCallFailure {
  const error = new ToolError('file_not_found', 'File not found');
  return { callId: 'call_1', name: 'Read', ok: false, output, error, durationMs: 1, ...more };
}
