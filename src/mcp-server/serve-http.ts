import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { collected } from '../core/support/collect-bytes.js';
import { EventLog } from './event-log.js';
import { httpGuard, isLoopback } from './http-guard.js';
import { loadHttp } from './load-sdk.js';
import { type ClientParts, clientServer, type McpServing } from './server-for-client.js';

/** Address and access rules of a server over HTTP. */
export interface HttpTransport {
  /** 0 means a free port. */
  readonly port: number;
  /** Default `127.0.0.1`, which only programs of this machine can reach. */
  readonly host?: string | undefined;
  /**
   * The token that clients send as `Authorization: Bearer …`, at least 16 characters. `false` requires no token and is
   * allowed on loopback only.
   */
  readonly token: string | false;
  /** Served names in the header `Host`, in addition to IP addresses, `localhost` and `host`. Default none. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins such as `https://app.example.com` whose pages may send requests. Default: only the server's own. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

type TransportClass = typeof StreamableHTTPServerTransport;

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  /** The number of open requests. */
  open: number;
  /** The time when the last request ended, by the monotonic clock. */
  idleSince: number;
  close(): Promise<void>;
}

/** The clients over HTTP. Each client has an MCP session and a session of the toolkit, which end together. */
function httpSessions(parts: ClientParts, Transport: TransportClass) {
  const { limits, caller: given, toolkit } = parts;
  const sessions = new Set<Session>();

  /** The message of a request; null for invalid JSON, which the transport reports; an Error for a body too large. */
  const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
    const { maxMessageBytes } = limits;
    const body = await collected(request.iterator({ destroyOnReturn: false }), maxMessageBytes);
    if (body === undefined) return new Error(`Payload too large: at most ${maxMessageBytes} bytes`);
    try {
      return JSON.parse(body.toString());
    } catch {
      return null;
    }
  };

  /** Ends the session that has been idle longest. Returns false if no session has been idle for `limits.idleMs`. */
  const makeRoom = (): boolean => {
    const idle = [...sessions].filter(({ open }) => open === 0).sort((a, b) => a.idleSince - b.idleSince);
    const [longest] = idle;
    if (longest === undefined || performance.now() - longest.idleSince < limits.idleMs) return false;
    sessions.delete(longest);
    void longest.close();
    return true;
  };

  const open = async (): Promise<Session | undefined> => {
    if (sessions.size >= limits.maxSessions && !makeRoom()) return undefined;
    const caller = { ...given, sessionId: `${given.sessionId}:${randomUUID()}` };
    const transport = new Transport({
      sessionIdGenerator: randomUUID,
      eventStore: new EventLog(limits),
      maxRequestBodySize: limits.maxMessageBytes,
    });
    // The error ends the stream of a call that the client has cancelled: otherwise the client would keep waiting.
    const onCancelled = (requestId: string | number) => {
      const error = { code: -32_000, message: 'The call was cancelled' };
      transport.send({ jsonrpc: '2.0', id: requestId, error }).catch(() => {});
    };
    const server = clientServer({ ...parts, caller, onCancelled });
    let ended: Promise<void> | undefined;
    const end = async () => {
      sessions.delete(session);
      await toolkit.endSession(caller.sessionId).catch((thrown: unknown) => process.emitWarning(String(thrown)));
    };
    const session: Session = {
      transport,
      open: 0,
      idleSince: performance.now(),
      close: async () => {
        await server.close();
        await ended;
      },
    };
    sessions.add(session);
    const unsubscribe = server.onclose;
    server.onclose = () => {
      unsubscribe?.();
      ended ??= end();
    };
    // The cast is needed: optional members of the transport's type do not include undefined.
    await server.connect(transport as Transport);
    return session;
  };

  /** Answers an allowed request. */
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    const known = [...sessions].find(({ transport }) => id !== undefined && transport.sessionId === id);
    if (id !== undefined && known === undefined)
      return refuse(response, 404, 'Session not found: begin a new one with initialize');
    // The message is read before a session is opened: a slow client must not use up sessions (Slowloris).
    const body = known === undefined && request.method === 'POST' ? await bodyOf(request) : undefined;
    if (body instanceof Error) return refuse(response, 413, body.message);
    const session = known ?? (await open());
    if (session === undefined) return refuse(response, 503, 'Too many sessions: end one, or try again later');
    session.open++;
    response.once('close', () => {
      session.open--;
      session.idleSince = performance.now();
      // The transport has no MCP session, because the request was not an initialize request.
      if (session.transport.sessionId === undefined) void session.close();
    });
    await session.transport.handleRequest(request, response, body);
  };

  return {
    handle,
    close: async () => void (await Promise.all(Array.from(sessions, (session) => session.close()))),
  };
}

/** Answers with an error of the protocol and stops reading the request. */
function refuse(response: ServerResponse, status: number, message: string): void {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  response.writeHead(status, { ...headers, ...challenge });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}

/** The path of the endpoint. */
const path = '/mcp';

/** Serves any number of clients over HTTP. Rejects if the server cannot listen on the port. */
export async function serveHttp(parts: ClientParts, transport: HttpTransport): Promise<Required<McpServing>> {
  const { port, host = '127.0.0.1', token, allowedHosts = [], allowedOrigins = [] } = transport;
  if (token === false && !isLoopback(host))
    throw new TypeError(`serveMcp: token: false is for loopback only; pass a token to listen at ${host}`);
  const { StreamableHTTPServerTransport } = await loadHttp();
  const sessions = httpSessions(parts, StreamableHTTPServerTransport);
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
