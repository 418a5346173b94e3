import { PassThrough } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { MessageLines } from '../mcp/connection/message-stream.js';
import { idOf } from '../mcp/connection/repair-messages.js';
import { loadStdio } from './load-sdk.js';
import { type ClientParts, clientServer, type McpServing } from './server-for-client.js';

/** Serves one client over standard input and output, until either side ends. */
export async function serveStdio(parts: ClientParts): Promise<McpServing> {
  const { stdin, stdout } = process;
  const { StdioServerTransport } = await loadStdio();
  const { maxMessageBytes } = parts.limits;
  const whole = new PassThrough();
  const transport = new StdioServerTransport(whole, stdout, { maxBufferSize: Number.MAX_SAFE_INTEGER });
  const lines = new MessageLines(maxMessageBytes, {
    line: (text) => void whole.write(`${text}\n`),
    overflow: (head, tail) => {
      const error = {
        code: -32_600,
        message: `The message is longer than ${maxMessageBytes} bytes; send less at once`,
      };
      // An error for an unknown id has null as its id, which the types of the SDK do not allow.
      void transport.send({ jsonrpc: '2.0', id: (idOf(head, tail) ?? null) as number, error });
    },
  });
  const read = (chunk: Buffer) => void [...lines.push(chunk)];
  const server = clientServer(parts);
  const close = () => void server.close();
  const closed = new Promise<void>((resolve) => {
    const unsubscribe = server.onclose;
    server.onclose = () => {
      unsubscribe?.();
      stdin.off('data', read).off('end', close).off('close', close).pause();
      stdout.off('error', close);
      resolve();
    };
  });
  stdin.on('end', close).on('close', close);
  stdout.on('error', close);
  await server.connect(transport as Transport);
  stdin.on('data', read);
  return { close: () => server.close(), closed };
}
