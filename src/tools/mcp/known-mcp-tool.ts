import type { Tool } from '../../core/tool.js';
import type { McpOrigin } from '../../core/tool-names.js';
import { mcpDescription } from './mcp-tool.js';

/** A tool that a server has listed. The `Tool` itself is made on first use. */
export class KnownMcpTool {
  readonly name: string;
  readonly description: string;
  readonly origin: McpOrigin;
  readonly signature: string;
  /** Whether only ToolSearch lists the tool. */
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

  /** Throws if the tool cannot be made, for instance because of its schema. */
  get tool(): Tool {
    this.#made ??= this.#make();
    return this.#made;
  }
}
