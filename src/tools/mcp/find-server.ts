import { ToolError } from '../../core/error.js';
import { didYouMean } from '../../core/support/near-names.js';
import { notConfigured } from '../../ports/ask-host.js';
import type { McpClient, McpServer } from '../../ports/mcp-client.js';
import { mcpLine } from './content-reader.js';

/** The client. Throws `not_configured` if the toolkit has no client. */
export function mcpClient(client: McpClient | undefined): McpClient {
  if (client !== undefined) return client;
  throw notConfigured('mcp', 'Go on without MCP servers, and tell the user.');
}

/**
 * A connected server. Throws `invalid_input` with similar names for an unknown server, or `mcp_unavailable` for one
 * that is not connected.
 */
export function mcpServer(client: McpClient, name: string): McpServer {
  const servers = client.servers();
  const server = servers.find((one) => one.name === name);
  if (server === undefined) {
    const names = servers.map((one) => one.name);
    const known =
      names.length === 0 ? ' There are none.' : ` There are: ${names.map((one) => mcpLine(one, 100)).join(', ')}.`;
    throw new ToolError(
      'invalid_input',
      `server: no MCP server is called ${mcpLine(name, 100)}.${didYouMean(name, names) || known}`,
    );
  }
  if (server.state !== 'connected') throw notUp(server);
  return server;
}

/** The error of a call to a server that is not connected. */
export function notUp({ name, state, error }: McpServer): ToolError {
  const why = error === undefined ? '' : ` (${mcpLine(error)})`;
  return new ToolError(
    'mcp_unavailable',
    `The MCP server ${JSON.stringify(mcpLine(name, 100))} is ${state}${why}. Try again later, or go on without it.`,
  );
}
