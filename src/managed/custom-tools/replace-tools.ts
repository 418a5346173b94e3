import { ToolError } from '../../core/error.js';
import type { ToolRegistry } from '../../core/registry/registry.js';
import type { Tool } from '../../core/tool.js';

/** A tool with the key of its definition. */
export interface MadeTool {
  /** Differs for each version of the definition. */
  readonly key: string;
  readonly tool: Tool;
}

/**
 * Removes the tools `out` from a registry and adds the tools `into`; a tool in both lists stays. Returns the tools of
 * `into` that are registered. Disabled names stay disabled. A tool of the host with the same name stays, and the
 * conflict is reported.
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
