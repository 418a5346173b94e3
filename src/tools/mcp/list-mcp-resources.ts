import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { mcpNumbers } from '../../core/numbers.js';
import { inputObject, optional, text } from '../../core/schema/input-object.js';
import { lazily } from '../../core/support/once.js';
import { Tool, type ToolResult } from '../../core/tool.js';
import type { McpClient } from '../../ports/mcp-client.js';
import { dependenciesOf } from '../support/dependencies.js';
import { mcpLine } from './mcp-content.js';
import { listMcpResources, resourceLine } from './mcp-resources.js';
import { mcpClient, mcpServer } from './mcp-servers.js';

const input = lazily(() => inputObject({ server: optional(text()) }));

/** The dependencies of ListMcpResources. */
export interface ListMcpResourcesDependencies {
  /** Without a client every call answers `not_configured`. */
  readonly client: McpClient | undefined;
  readonly limits: Limits['mcp'];
}

/** Lists the resources of MCP servers. */
export function listMcpResourcesTool(
  dependencies: ListMcpResourcesDependencies,
): Tool<output<ReturnType<typeof input>>> {
  const { limits } = dependenciesOf('listMcpResourcesTool', dependencies, 'limits');
  return Tool.define('ListMcpResources', {
    description: 'List the resources of MCP servers and their templates.',
    input: input(),
    sideEffect: 'readonly',
    title: ({ server = 'all servers' }) => `ListMcpResources of ${server}`,
    async execute({ server }, context): Promise<ToolResult> {
      const client = mcpClient(dependencies.client);
      const up = client.servers().filter(({ state }) => state === 'connected');
      const servers = server === undefined ? up : [mcpServer(client, server)];
      const lines: string[] = [];
      const resources: object[] = [];
      for (const { name } of servers) {
        try {
          const list = await listMcpResources(client, name, limits, context);
          const found = [...list.resources, ...list.templates];
          lines.push(
            `Server ${mcpLine(name, 100)}:`,
            ...(found.length === 0 ? ['(nothing)'] : found.map(resourceLine)),
          );
          if (list.isCut) lines.push('[There are more, which are left out]');
          resources.push(...found.map((one) => ({ ...one, server: name })));
        } catch (thrown) {
          // The failure of one server must not hide the resources of the others.
          if (server !== undefined || context.signal.aborted) throw thrown;
          lines.push(`Server ${mcpLine(name, 100)}: ${mcpLine(ToolError.from(thrown).message)}`);
        }
      }
      return {
        output: lines.length === 0 ? 'No MCP server is connected.' : lines.join('\n'),
        metadata: { resources: resources.slice(0, mcpNumbers.maxResources) },
      };
    },
  });
}
