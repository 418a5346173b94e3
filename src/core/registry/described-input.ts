import { ToolError } from '../error.js';
import type { JsonSchemaObject } from '../schema/json-schema.js';
import type { Tool } from '../tool.js';

/**
 * The JSON Schema of a tool's input. Throws `execution_failed` with the reason if the schema cannot be described; such
 * a tool is neither listed nor run.
 */
export function describedInput(tool: Tool): JsonSchemaObject {
  try {
    return tool.input.json;
  } catch (cause) {
    const reason = ToolError.from(cause).message;
    throw new ToolError(
      'execution_failed',
      `${tool.name} cannot be used: its input schema cannot be described (${reason}). Use another tool.`,
      { cause },
    );
  }
}
