import type { ToolCallSuccess } from '../core/call.js';
import type { CallOptions, Toolkit } from '../core/registry/toolkit.js';

/** Runs one call through the whole pipeline and answers its success. Throws the ToolError of a call that fails. */
export async function callTool(
  toolkit: Pick<Toolkit, 'call'>,
  name: string,
  input: unknown,
  options?: CallOptions,
): Promise<ToolCallSuccess> {
  const result = await toolkit.call(name, input, options);
  if (!result.ok) throw result.error;
  return result;
}
