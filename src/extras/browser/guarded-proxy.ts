import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ToolError } from '../../core/error.js';

/** Rules of a {@link GuardedProxy}. */
export interface ProxyRules {
  /** Connects to the host of an address after a check. Rejects with a ToolError if the host is not allowed. */
  readonly connect: (url: string, signal: AbortSignal) => Promise<Duplex>;
  /** Called with the reason of each refused connection. */
  readonly onRefused: (error: ToolError) => void;
  /** Bytes that hosts may send until `renewAllowance`. */
  readonly maxBytes: number;
}

/** Headers of a single connection, which a proxy does not forward. */
const ofConnection = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/**
 * The only way out of a browser: a loopback proxy that connects only where its rules allow. The browser resolves no
 * host names, so a name cannot change its address between check and connection. Redirects, frames, workers and
 * WebSockets all use the proxy.
 */
export class GuardedProxy {
  readonly #rules: ProxyRules;
  readonly #server: Server;
  readonly #streams = new Set<Duplex>();
  readonly #closing = new AbortController();
  #left: number;

  private constructor(rules: ProxyRules) {
    this.#rules = rules;
    this.#left = rules.maxBytes;
    this.#server = createServer((request, response) => void this.#forward(request, response));
    this.#server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.#tunnel(request, socket, head);
    });
    this.#server.on('connection', (socket: Socket) => this.#keep(socket));
    this.#server.on('clientError', (_error, socket) => void socket.destroy());
  }

  static async start(rules: ProxyRules): Promise<GuardedProxy> {
    const proxy = new GuardedProxy(rules);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resets the count of received bytes. */
  renewAllowance(): void {
    this.#left = this.#rules.maxBytes;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const stream of this.#streams) stream.destroy();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const stream = await this.#connected(request.url ?? '', request.socket);
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
  }

  async #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const stream = await this.#connected(`https://${request.url}`, socket);
    if (stream === undefined) return;
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) stream.write(head);
    socket.on('close', () => void stream.destroy());
    stream.on('close', () => void socket.destroy());
    stream.pipe(socket).pipe(stream);
  }

  /**
   * Connects to a host and counts the bytes that the host sends; if the connection is refused, closes the browser's
   * socket.
   */
  async #connected(url: string, socket: Duplex): Promise<Duplex | undefined> {
    const gone = new AbortController();
    const hangUp = () => gone.abort();
    socket.once('close', hangUp);
    try {
      if (this.#left <= 0) throw this.#exhausted();
      const stream = await this.#rules.connect(url, AbortSignal.any([gone.signal, this.#closing.signal]));
      this.#keep(stream);
      stream.prependListener('data', (chunk: Buffer) => {
        this.#left -= chunk.length;
        if (this.#left <= 0 && !stream.destroyed) {
          this.#rules.onRefused(this.#exhausted());
          stream.destroy();
        }
      });
      if (!socket.destroyed) return stream;
      stream.destroy();
    } catch (error) {
      if (!socket.destroyed && ToolError.is(error)) this.#rules.onRefused(error);
      socket.destroy();
    } finally {
      socket.off('close', hangUp);
    }
    return undefined;
  }

  #exhausted(): ToolError {
    const message = `The page sent over ${this.#rules.maxBytes} bytes and was stopped. Use another page.`;
    return new ToolError('file_too_large', message);
  }

  #keep(stream: Duplex): void {
    this.#streams.add(stream);
    stream.on('error', () => {}).once('close', () => void this.#streams.delete(stream));
  }
}

function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));
}
