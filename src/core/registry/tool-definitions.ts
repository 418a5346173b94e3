import { ToolError } from '../error.js';
import type { Tool, ToolSending } from '../tool.js';
import { describedInput } from './described-input.js';

/** One entry of the list that is sent to a model. */
export interface ToolDefinitionJson {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** Those that the tool declares, if it does. */
  inputExamples?: unknown[];
  /** What the tool asks of the provider, if it does. */
  sending?: ToolSending;
}

/** The definitions of tools for models, each made once and handed out as a copy. */
export class ToolDefinitions {
  readonly #made = new WeakMap<Tool, ToolDefinitionJson | undefined>();

  /**
   * Undefined for a tool whose schema cannot be described: it is left out, with a warning of the process, and takes no
   * other tool with it. A call of it answers `execution_failed` with the reason.
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
      inputSchema: describedInput(tool),
      ...inputExamples,
      ...(sending === undefined ? {} : { sending }),
    };
  } catch (thrown) {
    process.emitWarning(ToolError.from(thrown).message, { code: 'TOOLWRIGHT_UNDESCRIBED_TOOL' });
    return undefined;
  }
}

/**
 * A copy of JSON, several times faster than structuredClone on what is this small. A property named `__proto__` stays
 * one.
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
