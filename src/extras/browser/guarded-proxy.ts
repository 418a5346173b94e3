import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ToolError } from '../../core/error.js';

/** Rules of {@link guardedProxy}. */
export interface ProxyRules {
  /** Connects to the host of an address after a check. Rejects with a ToolError if the host is not allowed. */
  readonly connect: (url: string, signal: AbortSignal) => Promise<Duplex>;
  /** Called with the reason of each refused connection. */
  readonly onRefused: (error: ToolError) => void;
  /** How many bytes hosts may send until the next call of `renewAllowance`. */
  readonly maxBytes: number;
}

/** Hop-by-hop headers, which a proxy must not forward. */
const hopByHop = /^(?:connection|keep-alive|proxy-\w+|te|trailer|transfer-encoding|upgrade)$/;

/** The proxy that all connections of a browser use. */
export type GuardedProxy = Awaited<ReturnType<typeof guardedProxy>>;

/**
 * Starts a loopback proxy that connects only where its rules allow. Only the proxy resolves host names, so DNS
 * rebinding between check and connection is impossible. Redirects, frames, workers and WebSockets all use the proxy.
 */
export async function guardedProxy({ connect, onRefused, maxBytes }: ProxyRules) {
  const streams = new Set<Duplex>();
  const closing = new AbortController();
  let left = maxBytes;

  const keep = (stream: Duplex): void => {
    streams.add(stream);
    stream.on('error', () => {}).once('close', () => void streams.delete(stream));
  };

  const exhausted = () =>
    new ToolError('file_too_large', `The page sent over ${maxBytes} bytes and was stopped. Use another page.`);

  /** Connects to a host and counts the bytes that it sends. Closes the browser's socket after a refusal. */
  const connected = async (url: string, socket: Duplex): Promise<Duplex | undefined> => {
    const gone = new AbortController();
    const hangUp = () => gone.abort();
    socket.once('close', hangUp);
    try {
      if (left <= 0) throw exhausted();
      const stream = await connect(url, AbortSignal.any([gone.signal, closing.signal]));
      keep(stream);
      stream.prependListener('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left > 0 || stream.destroyed) return;
        onRefused(exhausted());
        stream.destroy();
      });
      if (!socket.destroyed) return stream;
      stream.destroy();
    } catch (error) {
      if (!socket.destroyed && ToolError.is(error)) onRefused(error);
      socket.destroy();
    } finally {
      socket.off('close', hangUp);
    }
    return undefined;
  };

  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const stream = await connected(request.url ?? '', request.socket);
    if (stream === undefined) return;
    const { host, pathname, search } = new URL(request.url ?? '');
    const sent = sendRequest({
      createConnection: () => stream as Socket,
      method: request.method,
      path: `${pathname}${search}`,
      headers: { ...endToEnd(request.headers), host },
    });
    const fail = () => void request.socket.destroy();
    sent.on('error', fail).on('response', (answer) => {
      try {
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      } catch {
        return fail();
      }
      answer.on('error', fail).pipe(response);
    });
    response.on('close', () => void stream.destroy());
    request.on('error', fail).pipe(sent);
  };

  const tunnel = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const stream = await connected(`https://${request.url}`, socket);
    if (stream === undefined) return;
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) stream.write(head);
    socket.on('close', () => void stream.destroy());
    stream.on('close', () => void socket.destroy());
    stream.pipe(socket).pipe(stream);
  };

  const server = createServer((request, response) => void forward(request, response))
    .on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => void tunnel(request, socket, head))
    .on('connection', keep)
    .on('clientError', (_error, socket) => void socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resets the count of received bytes. */
    renewAllowance: () => {
      left = maxBytes;
    },
    async close(): Promise<void> {
      closing.abort();
      for (const stream of streams) stream.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.test(name)));
}
