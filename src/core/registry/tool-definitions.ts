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
  readonly #made = new WeakMap<Tool, ToolDefinitionJson | undefined>();

  /**
   * Undefined for a tool whose schema cannot be described: it is left out with a process warning, and a call of it
   * fails with `execution_failed` and the reason.
   */
  of(tool: Tool): ToolDefinitionJson | undefined {
    if (!this.#made.has(tool)) this.#made.set(tool, define(tool));
    return plainCopy(this.#made.get(tool)) as ToolDefinitionJson | undefined;
  }
}

function define(tool: Tool): ToolDefinitionJson | undefined {
  try {
    const { name, description, examples = [], sending } = tool;
    const inputExamples = examples.length === 0 ? {} : { inputExamples: [...examples] };
    return {
      name,
      description,
      inputSchema: tool.input.json,
      ...inputExamples,
      ...(sending === undefined ? {} : { sending }),
    };
  } catch (thrown) {
    process.emitWarning(ToolError.from(thrown).message, { code: 'TOOLWRIGHT_UNDESCRIBED_TOOL' });
    return undefined;
  }
}

/**
 * Copies JSON data; several times faster than structuredClone for small values. A property named `__proto__` stays a
 * property.
 */
function plainCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainCopy);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const entry = plainCopy(value[key as never]);
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: entry, enumerable: true, writable: true, configurable: true });
    else copy[key] = entry;
  }
  return copy;
}
