import { ToolError } from '../core/error.js';
import type { ToolRegistry } from '../core/registry/registry.js';
import type { Tool } from '../core/tool.js';

/** A tool, and what it was made of. */
export interface MadeTool {
  /** Another for each version of its definition. */
  readonly key: string;
  readonly tool: Tool;
}

/**
 * Takes tools out of a registry and puts others in; those that are among both stay as they are. A name that is disabled
 * stays disabled, and one that a tool of the host has stays with that, which is reported. Answers those that are in.
 */
export function exchangeTools(
  registry: ToolRegistry,
  out: readonly MadeTool[],
  into: readonly MadeTool[],
  report: (name: string, reason: string) => void,
): readonly MadeTool[] {
  const isIn = ({ tool }: MadeTool) => registry.get(tool.name) === tool;
  const gone = out.filter((one) => !into.includes(one) && isIn(one)).map(({ tool }) => tool.name);
  const disabled = gone.filter((name) => registry.isDisabled(name));
  for (const name of gone) registry.unregister(name);
  for (const one of into) {
    try {
      if (!isIn(one)) registry.register(one.tool);
    } catch (thrown) {
      report(one.tool.name, ToolError.from(thrown).message);
    }
  }
  registry.disable(...disabled);
  return into.filter(isIn);
}
