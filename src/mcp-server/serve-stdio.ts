import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type ClientParts, clientServer } from './client-server.js';
import { loadStdio } from './load-sdk.js';
import type { McpServing } from './serve-mcp.js';

/** Serves the client at the other end of standard input and output, until either of them ends. */
export async function serveStdio(parts: ClientParts): Promise<McpServing> {
  const { stdin, stdout } = process;
  const { StdioServerTransport } = await loadStdio();
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: parts.limits.maxMessageBytes });
  const server = clientServer(parts);
  const close = () => void server.close();
  const closed = new Promise<void>((resolve) => {
    const unsubscribe = server.onclose;
    server.onclose = () => {
      unsubscribe?.();
      stdin.off('end', close).off('close', close);
      stdout.off('error', close);
      resolve();
    };
  });
  stdin.on('end', close).on('close', close);
  stdout.on('error', close);
  await server.connect(transport as Transport);
  return { close: () => server.close(), closed };
}
