import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolError } from '../../core/error.js';
import { assertOptions, kindOf, type OptionKinds, timersKind } from '../../core/support/check-values.js';
import { isSameSecret } from '../../core/support/same-secret.js';
import { systemTimers, type Timers } from '../../core/support/timer.js';
import { closeCodes, closeSocket, loadWs, NodeConnection, type Socket } from './node-connection.js';
import type { NodeDirectory, NodeView } from './node-directory.js';
import { NodeMistake, readHello } from './node-messages.js';

/** Options of {@link webSocketNodes}. */
export interface WebSocketNodesOptions {
  /** 0 means a free port. */
  readonly port: number;
  /** The secret that every node must send: at least 16 random characters. */
  readonly token: string;
  /** The address to listen at. Default `127.0.0.1`, which only programs of this machine reach. */
  readonly host?: string | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}

/** Nodes that connect over WebSocket. */
export interface WebSocketNodes extends NodeDirectory, AsyncDisposable {
  /** The address that nodes connect to. Rejects if the port is not available or `ws` is not installed. */
  url(): Promise<string>;
  /** Disconnects all nodes and frees the port. Active invocations fail with `network_failed`. */
  dispose(): Promise<void>;
}

const minTokenChars = 16;
const optionKinds: OptionKinds<WebSocketNodesOptions> = {
  port: kindOf.port,
  token: {
    takes: `a text of at least ${minTokenChars} random characters`,
    holds: (value) => typeof value === 'string' && value.length >= minTokenChars,
  },
  host: kindOf.text,
  timers: timersKind,
};

const helloMs = 5_000;
const maxNodes = 50;
/** Limit of connections that have not sent their hello. */
const maxWaiting = 20;
const maxMessageBytes = 1_000_000;

/**
 * Listens for devices that connect by WebSocket to the address `url()` and send a hello with the token. A name belongs
 * to one node until the connection of that node ends. Throws a TypeError for invalid options, also for a short token.
 */
export function webSocketNodes(options: WebSocketNodesOptions): WebSocketNodes {
  assertOptions('webSocketNodes', options, optionKinds, 'port', 'token');
  return new NodeServer(options);
}

class NodeServer implements WebSocketNodes {
  readonly #token: string;
  readonly #timers: Timers;
  readonly #server: Promise<Server>;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<Socket>();
  readonly #connected = new Map<string, NodeConnection>();
  /** Known nodes by name, also disconnected nodes. Beyond a limit, the oldest disconnected nodes are removed. */
  readonly #known = new Map<string, Pick<NodeView, 'commands'>>();
  #disposal: Promise<void> | undefined;

  constructor({ port, token, host = '127.0.0.1', timers = systemTimers }: WebSocketNodesOptions) {
    this.#token = token;
    this.#timers = timers;
    this.#server = this.#listen(port, host);
    // Callers of `url` and `nodes` get the failure.
    this.#server.catch(() => {});
  }

  async url(): Promise<string> {
    const { address, family, port } = (await this.#server).address() as AddressInfo;
    return `ws://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  async nodes(): Promise<readonly NodeView[]> {
    await this.#server;
    return [...this.#known].map(([name, { commands }]) => ({ name, commands, isConnected: this.#connected.has(name) }));
  }

  invoke: NodeDirectory['invoke'] = async ({ node, command, input }, { signal }) => {
    const connection = this.#connected.get(node);
    if (connection === undefined)
      throw new ToolError('network_failed', `${node} is not connected. Try again when list says that it is.`);
    return await connection.invoke({ command, input }, signal);
  };

  dispose(): Promise<void> {
    this.#disposal ??= (async () => {
      const server = await this.#server.catch(() => undefined);
      const closed = server && once(server, 'close');
      server?.close();
      server?.closeAllConnections();
      for (const socket of this.#sockets) socket.terminate();
      await closed;
    })();
    return this.#disposal;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #listen(port: number, host: string): Promise<Server> {
    const { WebSocketServer } = await loadWs();
    const server = createServer({ headersTimeout: helloMs, requestTimeout: helloMs }, (_, response) =>
      response.writeHead(426, { 'content-type': 'text/plain' }).end('Connect by WebSocket'),
    );
    server.maxConnections = maxNodes + maxWaiting;
    const accept = new WebSocketServer({ server, maxPayload: maxMessageBytes, clientTracking: false });
    // Errors of the HTTP server also arrive here; without a listener they would end the process.
    accept.on('error', () => {});
    accept.on('connection', (socket) => this.#greet(socket));
    server.listen(port, host);
    await once(server, 'listening');
    return server;
  }

  /** Waits for the hello of a new connection. */
  #greet(socket: Socket): void {
    this.#sockets.add(socket);
    this.#waiting.add(socket);
    // A message that is too large or invalid is followed by `close`.
    socket.on('error', () => {});
    const refuse = (code: keyof typeof closeCodes, reason: string) =>
      closeSocket(socket, closeCodes[code], reason, this.#timers);
    const timer = this.#timers.set(() => refuse('late', `say hello within ${helloMs} ms`), helloMs);
    const settle = () => {
      this.#waiting.delete(socket);
      this.#timers.clear(timer);
    };
    socket.on('close', () => {
      settle();
      this.#sockets.delete(socket);
    });
    if (this.#disposal !== undefined) socket.terminate();
    else if (this.#waiting.size > maxWaiting) refuse('many', 'too many connections have not said hello');
    socket.once('message', (data, isBinary) => {
      if (socket.readyState !== socket.OPEN) return;
      settle();
      try {
        const hello = readHello(isBinary ? '' : String(data));
        if (!isSameSecret(hello.token, this.#token)) return refuse('token', 'wrong token');
        if (this.#connected.has(hello.name)) return refuse('taken', `another node is connected as ${hello.name}`);
        if (this.#connected.size >= maxNodes) return refuse('many', `at most ${maxNodes} nodes`);
        this.#add(new NodeConnection(socket, hello, this.#timers), socket);
      } catch (thrown) {
        if (!(thrown instanceof NodeMistake)) throw thrown;
        refuse('mistake', thrown.message);
      }
    });
  }

  #add(node: NodeConnection, socket: Socket): void {
    const { name, commands } = node;
    this.#connected.set(name, node);
    this.#known.delete(name);
    this.#known.set(name, { commands });
    const [oldest] = [...this.#known.keys()].filter((known) => !this.#connected.has(known));
    if (this.#known.size > maxNodes && oldest !== undefined) this.#known.delete(oldest);
    socket.on('close', () => this.#connected.delete(name));
  }
}
