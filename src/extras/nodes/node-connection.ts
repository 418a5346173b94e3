import type * as ws from 'ws';
import { ToolError } from '../../core/error.js';
import { neededPackage } from '../../core/needed-package.js';
import { LatestMap } from '../../core/support/latest-map.js';
import { onAbort, type Timers, unrefTimer } from '../../core/support/timer.js';
import { escapeLine } from '../../core/text/display.js';
import type { NodeRequest } from './node-directory.js';
import { type NodeHello, NodeMistake, readNodeAnswer } from './node-messages.js';

/** The WebSocket connection of a node. */
export type Socket = ws.WebSocket;

/** Loads the optional package `ws`. */
export const loadWs = () => neededPackage<Pick<typeof ws, 'WebSocketServer'>>('ws', 'Nodes need');

/** WebSocket close codes by reason. */
export const closeCodes = { mistake: 4400, token: 4401, late: 4408, taken: 4409, many: 4429 } as const;

/** The interval of pings. A node that did not answer the last ping is disconnected. */
const heartbeatMs = 30_000;
/** Time limit for the closing handshake. */
const closingMs = 1_000;
const maxPending = 16;
/** Limit of abandoned invocations whose answers are still accepted. */
const maxForgotten = 1_000;
const maxErrorChars = 2_000;

interface Pending {
  resolve(output: unknown): void;
  reject(error: ToolError): void;
}

/** The connection of a node after its hello. */
export class NodeConnection {
  readonly name: string;
  readonly commands: NodeHello['commands'];
  readonly #socket: Socket;
  readonly #timers: Timers;
  readonly #pending = new Map<string, Pending>();
  readonly #forgotten = new LatestMap<string, true>(maxForgotten);
  #heartbeat: unknown;
  #isAlive = true;
  #count = 0;

  constructor(socket: Socket, { name, commands }: NodeHello, timers: Timers) {
    this.name = name;
    this.commands = commands;
    this.#socket = socket;
    this.#timers = timers;
    socket.on('message', (data, isBinary) => this.#hear(isBinary ? undefined : String(data)));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.on('close', () => this.#end());
    this.#beat();
  }

  /** Resolves with the output of the node. Rejects with a ToolError, `interrupted` as soon as the signal aborts. */
  async invoke({ command, input }: Pick<NodeRequest, 'command' | 'input'>, signal: AbortSignal): Promise<unknown> {
    if (this.#pending.size >= maxPending)
      throw new ToolError(
        'limit_reached',
        `${this.name} has ${maxPending} invocations to answer. Wait until it has answered one.`,
      );
    const id = String(++this.#count);
    let stop = () => {};
    try {
      return await new Promise((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        stop = onAbort(signal, () =>
          reject(new ToolError('interrupted', `The call of ${this.name} was interrupted; the node was not told.`)),
        );
        this.#socket.send(JSON.stringify({ type: 'invoke', id, command, input }));
      });
    } finally {
      stop();
      if (this.#pending.delete(id)) this.#forgotten.set(id, true);
    }
  }

  #hear(text: string | undefined): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    try {
      if (text === undefined) throw new NodeMistake('messages are text');
      const { id, ok, output, error } = readNodeAnswer(text);
      const pending = this.#pending.get(id);
      // A result without an invocation ends the connection, so that a node cannot flood this process with results.
      if (pending === undefined && !this.#forgotten.delete(id)) throw new NodeMistake('a result without an invocation');
      this.#pending.delete(id);
      if (ok) pending?.resolve(output);
      else pending?.reject(this.#failure(error));
    } catch (thrown) {
      if (!(thrown instanceof NodeMistake)) throw thrown;
      closeSocket(this.#socket, closeCodes.mistake, thrown.message, this.#timers);
    }
  }

  #failure(error: string | undefined): ToolError {
    const why = error === undefined || error === '' ? 'it gave no reason' : escapeLine(error, maxErrorChars);
    return new ToolError('execution_failed', `${this.name} failed: ${why}`);
  }

  /** Pings the node, since a device without power or network does not close its connection. */
  #beat(): void {
    const next = () => {
      if (!this.#isAlive) return this.#socket.terminate();
      this.#isAlive = false;
      this.#socket.ping();
      this.#beat();
    };
    this.#heartbeat = unrefTimer(this.#timers.set(next, heartbeatMs));
  }

  #end(): void {
    this.#timers.clear(this.#heartbeat);
    const gone = new ToolError(
      'network_failed',
      `${this.name} disconnected before it answered. The command may have run: check before you invoke it again.`,
    );
    for (const { reject } of this.#pending.values()) reject(gone);
    this.#pending.clear();
  }
}

/** Closes a connection with a reason, and terminates it if the node does not close its side. */
export function closeSocket(socket: Socket, code: number, reason: string, timers: Timers): void {
  socket.close(code, reason);
  const ending = unrefTimer(timers.set(() => socket.terminate(), closingMs));
  socket.once('close', () => timers.clear(ending));
}
