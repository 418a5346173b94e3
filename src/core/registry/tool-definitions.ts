import { ToolError } from '../error.js';
import type { Tool, ToolSending } from '../tool.js';

/** A tool in the list that is sent to a model. */
export interface ToolDefinitionJson {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** The examples of the tool, if it has any. */
  inputExamples?: unknown[];
  /** Options for sending it to a provider, if it has any. */
  sending?: ToolSending;
}

/** The definitions of tools for models; each is computed once and returned as a copy. */
export class ToolDefinitions {
  /** As JSON, which is copied fast by parsing it. */
  readonly #made = new WeakMap<Tool, string | undefined>();

  /**
   * Undefined for a tool whose schema cannot be described: it is left out with a process warning, and a call of it
   * fails with `execution_failed` and the reason.
   */
  of(tool: Tool): ToolDefinitionJson | undefined {
    if (!this.#made.has(tool)) this.#made.set(tool, define(tool));
    const json = this.#made.get(tool);
    return json === undefined ? undefined : (JSON.parse(json) as ToolDefinitionJson);
  }
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
