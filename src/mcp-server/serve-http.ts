import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClientParts } from './client-server.js';
import { httpGuard, isLoopback } from './http-guard.js';
import { HttpSessions, refuse } from './http-sessions.js';
import { loadHttp } from './load-sdk.js';
import type { HttpTransport, McpServing } from './serve-mcp.js';

/** The path of the endpoint. */
const path = '/mcp';

/** Serves any number of clients over HTTP. Rejects if it cannot listen on the port. */
export async function serveHttp(parts: ClientParts, transport: HttpTransport): Promise<Required<McpServing>> {
  const { port, host = '127.0.0.1', token, allowedHosts = [], allowedOrigins = [] } = transport;
  if (token === false && !isLoopback(host))
    throw new TypeError(`serveMcp: token: false is for loopback only; pass a token to listen at ${host}`);
  const { StreamableHTTPServerTransport } = await loadHttp();
  const sessions = new HttpSessions(parts, StreamableHTTPServerTransport);
  const guard = httpGuard({ host, token, allowedHosts, allowedOrigins });
  const server = createServer((request, response) => {
    const refusal = guard(request);
    if (refusal !== undefined) return refuse(response, refusal.status, refusal.message);
    if (request.url?.split('?', 1)[0] !== path) return refuse(response, 404, `Not found: the address is ${path}`);
    sessions.handle(request, response).catch((thrown: unknown) => {
      if (!response.headersSent) refuse(response, 500, `Internal error: ${String(thrown)}`);
      else response.destroy();
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const end = async () => {
    server.close();
    await sessions.close();
    server.closeAllConnections();
    await closed;
  };
  let ending: Promise<void> | undefined;
  const closed = once(server, 'close').then(() => {});
  const close = () => (ending ??= end());
  const { port: actualPort } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}${path}`, close, closed };
}
