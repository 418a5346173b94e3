import { argumentMistake, kindThatCame } from '../support/argument-mistake.js';
import type { Tool } from '../tool.js';

const takes = 'register takes tools made by Tool.define(name, definition)';

/**
 * Throws a TypeError, for the author of the program, for what is no tool, and for a tool with an example that it would
 * not take itself.
 */
export function assertTool(tool: Tool): void {
  const isTool =
    typeof tool === 'object' && tool !== null && typeof tool.name === 'string' && typeof tool.execute === 'function';
  if (!isTool || typeof tool.input?.parse !== 'function')
    throw argumentMistake(takes, kindThatCame(tool), `register(${Array.isArray(tool) ? '...tools' : 'tool'})`);
  for (const example of tool.examples ?? []) {
    const parsed = tool.input.parse(example);
    // A schema that answers later is not waited for.
    if (parsed instanceof Promise) parsed.catch(() => {});
    else if (!parsed.ok)
      throw new TypeError(
        `${tool.name}: its schema does not take its example ${JSON.stringify(example)}; correct one of them`,
      );
  }
}
