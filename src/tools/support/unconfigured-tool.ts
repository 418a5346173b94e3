import type { CallScope } from '../../core/context.js';
import type { Tool } from '../../core/tool.js';

const unconfigured = new WeakSet<Tool>();

/** Whether a tool was made by {@link refusing}: its host object is missing, or the tool is switched off. */
export const isUnconfigured = (tool: Tool): boolean => unconfigured.has(tool);

/** A copy of a tool whose `assess` runs `execute` first, so that a failing call throws before a person is asked. */
export function refusing(tool: Tool): Tool {
  const refuse = (input: unknown, scope: CallScope) =>
    tool
      .execute(input, { caller: scope.caller, signal: scope.signal, callId: '', metadata: () => {} })
      .then(() => tool.assess(input, scope));
  const refused = Object.freeze({ ...tool, assess: refuse });
  unconfigured.add(refused);
  return refused;
}
