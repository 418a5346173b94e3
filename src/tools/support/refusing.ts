import type { CallScope } from '../../core/context.js';
import type { Tool } from '../../core/tool.js';

const unconfigured = new WeakSet<Tool>();

/** Whether a tool could only refuse, since its host is missing or it is switched off. */
export const isUnconfigured = (tool: Tool): boolean => unconfigured.has(tool);

/** A tool of which running does nothing but refuse: its safety check does so too, before anybody is asked. */
export function refusing(tool: Tool): Tool {
  const refuse = (input: unknown, { caller, signal }: CallScope) =>
    tool.execute(input, { caller, signal, callId: '', metadata: () => {} }).then(() => undefined);
  const refused = Object.freeze({ ...tool, verdictOf: refuse });
  unconfigured.add(refused);
  return refused;
}
