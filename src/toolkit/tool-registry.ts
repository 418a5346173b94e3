import { executeTools } from '../call/execute-tools.js';
import { ToolError } from '../core/error.js';
import type { RegistryOptions } from '../core/registry/registry.js';
import { type RegistryParts, RunnableRegistry } from '../core/registry/runnable-registry.js';
import type { Tool } from '../core/tool.js';
import type { ToolInitContext } from '../core/tool-definition.js';
import { createPermissions } from '../permissions/create-permissions.js';
import type { McpClient } from '../ports/mcp-client.js';
import { describeFromFile } from '../tools/describe-from-file.js';
import { registerMcpTool } from '../tools/mcp/server-tool.js';
import { mcpNamePrefix, mcpToolName } from '../tools/mcp/server-tool-name.js';

/** A registry that can run its tools. Programs create it, and each toolkit has one. */
export class ToolRegistry extends RunnableRegistry {
  // Bundlers rename one of two classes with the same name.
  static override readonly name = 'ToolRegistry';

  constructor(options?: RegistryOptions) {
    super(parts, options);
  }
}

const parts: RegistryParts = {
  run: (calls, registry, by, turn) => {
    const permissions = by === 'program' ? 'bypassPermissions' : createPermissions({ autoAllow: 'low-risk' });
    return executeTools(calls, { registry, permissions, ...turn });
  },
  describe(tool, path): Tool {
    const fromFile = describeFromFile(tool, path);
    const init = async (context: ToolInitContext) => {
      try {
        return (await fromFile.init?.(context)) ?? tool;
      } catch (thrown) {
        process.emitWarning(`${tool.name}: ${ToolError.from(thrown).message}`, { code: 'TOOLWRIGHT_DESCRIPTION' });
        return (await tool.init?.(context)) ?? tool;
      }
    };
    return Object.freeze({ ...fromFile, init });
  },
  registerMcpTool(registry, name, inputSchema, description, annotations = {}, client): Tool {
    if (typeof client?.callTool !== 'function')
      throw new TypeError(
        'registerMcpTool: client takes an McpManager, or an object with callTool({ server, tool, input })',
      );
    const servers = () => client.servers?.() ?? [];
    const says = (hint: RegExp) => Object.entries(annotations).some(([key, value]) => hint.test(key) && value === true);
    return registerMcpTool(registry, {
      ...{ ...originOf(name, servers()), inputSchema, description },
      annotations: { readOnlyHint: says(/^readonly(hint)?$/i), destructiveHint: says(/^destructive(hint)?$/i) },
      client: { servers, callTool: (call, scope) => client.callTool(call, scope) } as McpClient,
    });
  },
};

/**
 * The MCP server and tool in a tool name. The server is the longest known name that matches, else the part before the
 * first `__` after `mcp__`.
 */
function originOf(name: string, servers: readonly { readonly name: string }[]): { server: string; tool: string } {
  const known = servers.map((one) => one.name).filter((server) => name.startsWith(mcpNamePrefix(server)));
  const [longest] = known.sort((left, right) => right.length - left.length);
  const server = longest ?? /^mcp__(.+?)__./.exec(name)?.[1] ?? '';
  const tool = name.slice(mcpNamePrefix(server).length);
  if (server !== '' && tool !== '' && mcpToolName(server, tool) === name) return { server, tool };
  throw new TypeError(
    `registerMcpTool: name takes mcp__SERVER__TOOL, not ${JSON.stringify(name)}; registerMcpTool of toolwright/mcp ` +
      'makes a name for any server and tool',
  );
}
