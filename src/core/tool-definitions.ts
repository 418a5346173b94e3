import { describedInput } from './described-input.js';
import { ToolError } from './error.js';
import type { ToolDefinitionJson } from './registry.js';
import type { Tool } from './tool.js';

/** What models are told of tools, each made once. */
export class ToolDefinitions {
  readonly #made = new WeakMap<Tool, ToolDefinitionJson | undefined>();

  /**
   * Undefined for a tool whose schema cannot be described: it is left out, with a warning of the process, and takes no other tool with it.
   * A call of it answers `execution_failed` with the reason.
   */
  of(tool: Tool): ToolDefinitionJson | undefined {
    if (this.#made.has(tool)) return this.#made.get(tool);
    const definition = define(tool);
    this.#made.set(tool, definition);
    return definition;
  }
}

function define(tool: Tool): ToolDefinitionJson | undefined {
  try {
    return Object.freeze({ name: tool.name, description: tool.description, inputSchema: describedInput(tool) });
  } catch (thrown) {
    process.emitWarning(ToolError.from(thrown).message, { code: 'TOOLWRIGHT_UNDESCRIBED_TOOL' });
    return undefined;
  }
}
