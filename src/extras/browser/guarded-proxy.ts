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

/** What a proxy lets through. */
export interface ProxyRules {
  /** A stream to the host of an address, which was checked; rejects with a ToolError for what is refused. */
  readonly connect: (url: string, signal: AbortSignal) => Promise<Duplex>;
  /** Hears why a host was not reached. */
  readonly onRefused: (error: ToolError) => void;
  /** Bytes that the hosts may send until the allowance is renewed. */
  readonly maxBytes: number;
}

/** Fields about one connection, which the other side does not get. */
const ofConnection = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/**
 * The only way out of a browser: a proxy on loopback that reaches what its rules allow. The browser resolves no names,
 * so that a name cannot lead elsewhere between the check and the connection; redirects, frames, workers and WebSockets
 * all pass here.
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

  /** Lets the hosts send as much as at first. */
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

  /** A counted stream to the host of an address; undefined where there is none, and the browser is hung up on. */
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
    const message = `The page sent over ${this.#rules.maxBytes} bytes and was cut off. Use another page.`;
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
