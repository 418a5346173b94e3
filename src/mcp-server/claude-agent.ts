import type { McpSdkServerConfigWithInstance } from '@anthropic-ai/claude-agent-sdk';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../core/context.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { clientServer } from './client-server.js';

/**
 * A toolkit as an entry of `mcpServers` in the options of `query`, for one query: its tools are there as
 * `mcp__<key>__<name>`, and run in this process. A call runs when that SDK sends it; which calls run side by side it
 * decides by itself. Default caller: `{ sessionId: 'default' }`.
 */
export function toClaudeServer(
  toolkit: Toolkit,
  caller: Caller = { sessionId: 'default' },
): McpSdkServerConfigWithInstance {
  const server = clientServer({ sdk: { Server, types }, toolkit, caller, limits: toolkit.limits.mcpServer });
  // The SDK only connects it; the class that its types name holds a server such as this one.
  return { type: 'sdk', name: 'toolwright', instance: server as unknown as McpSdkServerConfigWithInstance['instance'] };
}
