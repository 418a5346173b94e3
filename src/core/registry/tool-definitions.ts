import { ToolError } from '../error.js';
import type { Tool } from '../tool.js';
import type { ToolSending } from '../tool-definition.js';

/** A tool in the list that is sent to a model. */
export interface ToolDefinitionJson {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** The examples of the tool, if any. */
  inputExamples?: unknown[];
  /** Options for sending the tool to a provider, if any. */
  sending?: ToolSending;
}

/**
 * Returns a function that gives a copy of the definition of a tool; undefined if its schema cannot be described. Such a
 * tool is left out with a process warning, and its calls fail with `execution_failed` and the reason.
 */
export function definitionReader(): (tool: Tool) => ToolDefinitionJson | undefined {
  // The definitions as JSON text, because parsing is a fast way to copy them.
  const made = new WeakMap<Tool, string | undefined>();
  return (tool) => {
    if (!made.has(tool)) made.set(tool, define(tool));
    const json = made.get(tool);
    return json === undefined ? undefined : (JSON.parse(json) as ToolDefinitionJson);
  };
}

function define(tool: Tool): string | undefined {
  try {
    const { name, description, examples = [], sending } = tool;
    const inputExamples = examples.length === 0 ? {} : { inputExamples: [...examples] };
    return JSON.stringify({
      name,
      description,
      inputSchema: tool.input.json,
      ...inputExamples,
      ...(sending === undefined ? {} : { sending }),
    } satisfies ToolDefinitionJson);
  } catch (thrown) {
    process.emitWarning(ToolError.from(thrown).message, { code: 'TOOLWRIGHT_UNDESCRIBED_TOOL' });
    return undefined;
  }
}
