// A server that uses only the SDK, with one tool that returns its input, over standard input and output.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export const echo = {
  name: 'echo',
  description: 'Repeat a text.',
  inputSchema: { type: 'object' as const, properties: { text: { type: 'string' } }, required: ['text'] as string[] },
};

export function echoServer() {
  const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [echo] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: 'text', text: String(params.arguments?.text) }],
  }));
  return server;
}

if (process.argv[2] === '--stdio') await echoServer().connect(new StdioServerTransport());
