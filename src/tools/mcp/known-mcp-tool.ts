import type { Tool } from '../../core/tool.js';
import type { McpOrigin } from '../../core/tool-names.js';
import { mcpDescription } from './mcp-tool.js';

/** A tool of a server: what is said of it, and the tool once it is needed. */
export class KnownMcpTool {
  readonly name: string;
  readonly description: string;
  readonly origin: McpOrigin;
  readonly signature: string;
  /** Known by ToolSearch only. */
  isDeferred = false;
  readonly #make: () => Tool;
  #made: Tool | undefined;

  constructor(name: string, signature: string, said: McpOrigin & { readonly description?: unknown }, make: () => Tool) {
    this.name = name;
    this.signature = signature;
    this.description = mcpDescription(said.description);
    this.origin = { server: said.server, tool: said.tool };
    this.#make = make;
  }

  /** Throws where the tool cannot be made, for instance for its schema. */
  get tool(): Tool {
    this.#made ??= this.#make();
    return this.#made;
  }
}
