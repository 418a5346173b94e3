import { argumentMistake, isThenable, kindName, withHandledRejection } from '../support/check-values.js';
import type { Tool } from '../tool.js';

const takes = 'register takes tools made by Tool.define(name, definition)';

/** Throws a TypeError for a value that is not a tool, and for a tool whose schema rejects one of its examples. */
export function assertTool(tool: Tool): void {
  const isTool =
    typeof tool === 'object' && tool !== null && typeof tool.name === 'string' && typeof tool.execute === 'function';
  if (!isTool || typeof tool.input?.parse !== 'function')
    throw argumentMistake(takes, kindName(tool), `register(${Array.isArray(tool) ? '...tools' : 'tool'})`);
  for (const example of tool.examples ?? []) {
    const parsed = withHandledRejection(tool.input.parse(example));
    // Asynchronous schemas are not checked.
    if (!isThenable(parsed) && !parsed.ok)
      throw new TypeError(
        `${tool.name}: its schema rejects its example ${JSON.stringify(example)}; correct the schema or the example`,
      );
  }
}

/** Whether both are versions of the same tool of the same MCP server. */
export function isSameMcpTool({ mcp: known }: Tool, { mcp }: Tool): boolean {
  return known !== undefined && known.server === mcp?.server && known.tool === mcp.tool;
}
