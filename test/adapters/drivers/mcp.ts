import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ToolCall } from '../../../src/core/call.js';
import { toClaudeServer } from '../../../src/mcp-server/claude-agent.js';
import { serveMcp } from '../../../src/mcp-server/index.js';
import type { Driver, ModelReads } from '../driver.js';
import type { GoldenWorld } from '../golden-set.js';

/** Requests carry no order, so they go one after the other. */
async function oneByOne(client: Client, calls: readonly ToolCall[], signal: AbortSignal) {
  const reads: Record<string, ModelReads> = {};
  for (const { id, name, input } of calls) {
    const { content, isError = false } = await client.callTool({ name, arguments: input as never }, undefined, {
      signal,
    });
    const parts = content as { type: string; text?: string; resource?: { mimeType?: string } }[];
    const text = parts.map((part) => part.text ?? '').join('\n');
    reads[id] = { text, images: parts.filter(({ type }) => type === 'image').length, isError: isError === true };
  }
  return reads;
}
