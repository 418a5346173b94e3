import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolError } from '../../core/error.js';
import { assertOptions, kindOf, type OptionKinds, timersKind } from '../../core/support/check-values.js';
import { lazily } from '../../core/support/once.js';
import { isSameSecret } from '../../core/support/same-secret.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { closeCodes, closeSocket, loadWs, type NodeConnection, nodeConnection, type Socket } from './connection.js';
import type { NodeDirectory, NodeView } from './directory.js';
import { NodeMistake, readHello } from './wire-messages.js';

/** Options of {@link webSocketNodes}. */
export interface WebSocketNodesOptions {
  /** The port to listen at; 0 means a free port. */
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
  const { port, token, host = '127.0.0.1', timers = systemTimers } = options;
  const sockets = new Set<Socket>();
  const waiting = new Set<Socket>();
  const connected = new Map<string, NodeConnection>();
  /** Connected and disconnected nodes by name. Above `maxNodes`, the oldest disconnected node is removed. */
  const known = new Map<string, Pick<NodeView, 'commands'>>();
  let isOver = false;

  const add = (node: NodeConnection, socket: Socket): void => {
    const { name, commands } = node;
    connected.set(name, node);
    known.delete(name);
    known.set(name, { commands });
    const oldest = [...known.keys()].find((one) => !connected.has(one));
    if (known.size > maxNodes && oldest !== undefined) known.delete(oldest);
    socket.on('close', () => connected.delete(name));
  };

  /** Waits for the hello of a new connection. */
  const greet = (socket: Socket): void => {
    sockets.add(socket);
    waiting.add(socket);
    // After an error, such as a message that is too large, the socket also emits `close`, which cleans up.
    socket.on('error', () => {});
    const refuse = (code: keyof typeof closeCodes, reason: string) =>
      closeSocket(socket, closeCodes[code], reason, timers);
    const timer = timers.set(() => refuse('late', `say hello within ${helloMs} ms`), helloMs);
    const settle = () => {
      waiting.delete(socket);
      timers.clear(timer);
    };
    socket.on('close', () => {
      settle();
      sockets.delete(socket);
    });
    if (isOver) socket.terminate();
    else if (waiting.size > maxWaiting) refuse('many', 'too many connections have not said hello');
    socket.once('message', (data, isBinary) => {
      if (socket.readyState !== socket.OPEN) return;
      settle();
      try {
        const hello = readHello(isBinary ? '' : String(data));
        if (!isSameSecret(hello.token, token)) return refuse('token', 'wrong token');
        if (connected.has(hello.name)) return refuse('taken', `another node is connected as ${hello.name}`);
        if (connected.size >= maxNodes) return refuse('many', `at most ${maxNodes} nodes`);
        add(nodeConnection(socket, hello, timers), socket);
      } catch (thrown) {
        if (!(thrown instanceof NodeMistake)) throw thrown;
        refuse('mistake', thrown.message);
      }
    });
  };

  const listening = listen(port, host, greet);
  // Callers of `url` and `nodes` get the failure.
  listening.catch(() => {});
  const dispose = lazily(async () => {
    isOver = true;
    const server = await listening.catch(() => undefined);
    const closed = server && once(server, 'close');
    server?.close();
    server?.closeAllConnections();
    for (const socket of sockets) socket.terminate();
    await closed;
  });
  return {
    async url() {
      const { address, family, port: taken } = (await listening).address() as AddressInfo;
      return `ws://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
    },
    async nodes() {
      await listening;
      return [...known].map(([name, { commands }]) => ({ name, commands, isConnected: connected.has(name) }));
    },
    async invoke({ node, command, input }, { signal }) {
      const connection = connected.get(node);
      if (connection !== undefined) return await connection.invoke({ command, input }, signal);
      throw new ToolError('network_failed', `${node} is not connected. Try again when list shows it as connected.`);
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

async function listen(port: number, host: string, greet: (socket: Socket) => void): Promise<Server> {
  const { WebSocketServer } = await loadWs();
  const server = createServer({ headersTimeout: helloMs, requestTimeout: helloMs }, (_, response) =>
    response.writeHead(426, { 'content-type': 'text/plain' }).end('Connect by WebSocket'),
  );
  server.maxConnections = maxNodes + maxWaiting;
  const accept = new WebSocketServer({ server, maxPayload: maxMessageBytes, clientTracking: false });
  // Errors of the HTTP server also arrive here; without a listener they would end the process.
  accept.on('error', () => {});
  accept.on('connection', greet);
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
