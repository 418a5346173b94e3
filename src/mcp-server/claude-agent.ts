import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Caller } from '../core/context.js';
import { assertToolkit, readCallerAndOptions } from '../core/registry/adapter-arguments.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { loadSdk } from './load-sdk.js';
import { clientServer } from './server-for-client.js';

/** An entry of `mcpServers` in the options of the Claude Agent SDK's `query`. */
export interface ClaudeServer {
  type: 'sdk';
  name: string;
  instance: McpServer;
}

/**
 * Makes an entry of `mcpServers` that offers the tools of a toolkit to `query`. The tools are named
 * `mcp__<key>__<name>` and run in this process. One entry can serve several queries. The SDK decides which calls run in
 * parallel. Default caller: `{ sessionId: 'default' }`.
 */
export function toClaudeServer(toolkit: Toolkit, caller: Caller = { sessionId: 'default' }): ClaudeServer {
  assertToolkit('toClaudeServer', toolkit);
  readCallerAndOptions('toClaudeServer', [caller], {});
  const limits = toolkit.limits.mcpServer;
  // The SDK only calls connect() of an instance, once for each query.
  const instance = {
    connect: async (transport: Transport) =>
      await clientServer({ sdk: await loadSdk(), toolkit, caller, limits }).connect(transport),
  };
  return { type: 'sdk', name: 'toolwright', instance: instance as unknown as McpServer };
}
