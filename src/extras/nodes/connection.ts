import type * as ws from 'ws';
import { ToolError } from '../../core/error.js';
import { neededPackage } from '../../core/require-package.js';
import { LatestMap } from '../../core/support/latest-map.js';
import { onAbort, type Timers, unrefTimer } from '../../core/support/timers.js';
import { escapeLine } from '../../core/text/escape-for-people.js';
import type { NodeRequest } from './directory.js';
import { type NodeHello, NodeMistake, readNodeAnswer } from './wire-messages.js';

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
export interface NodeConnection extends Pick<NodeHello, 'name' | 'commands'> {
  /** Resolves with the output of the node. Rejects with a ToolError; its code is `interrupted` if the signal aborts. */
  invoke(request: Pick<NodeRequest, 'command' | 'input'>, signal: AbortSignal): Promise<unknown>;
}

/** Serves the connection of a node until the connection ends. */
export function nodeConnection(socket: Socket, { name, commands }: NodeHello, timers: Timers): NodeConnection {
  const waiting = new Map<string, Pending>();
  const forgotten = new LatestMap<string, true>(maxForgotten);
  let heartbeat: unknown;
  let isAlive = true;
  let count = 0;

  /** Pings the node, since a device without power or network does not close its connection. */
  const beat = (): void => {
    const next = () => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      socket.ping();
      beat();
    };
    heartbeat = unrefTimer(timers.set(next, heartbeatMs));
  };

  const hear = (text: string | undefined): void => {
    if (socket.readyState !== socket.OPEN) return;
    try {
      if (text === undefined) throw new NodeMistake('messages are text');
      const { id, ok, output, error } = readNodeAnswer(text);
      const pending = waiting.get(id);
      // A result without an invocation ends the connection, so that a node cannot flood this process with results.
      if (pending === undefined && !forgotten.delete(id)) throw new NodeMistake('a result without an invocation');
      waiting.delete(id);
      const why = escapeLine(error || 'it gave no reason', maxErrorChars);
      if (ok) pending?.resolve(output);
      else pending?.reject(new ToolError('execution_failed', `${name} failed: ${why}`));
    } catch (thrown) {
      if (!(thrown instanceof NodeMistake)) throw thrown;
      closeSocket(socket, closeCodes.mistake, thrown.message, timers);
    }
  };

  socket.on('message', (data, isBinary) => hear(isBinary ? undefined : String(data)));
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('close', () => {
    timers.clear(heartbeat);
    const next = 'The command may have run: check before you invoke it again.';
    const gone = new ToolError('network_failed', `${name} disconnected before it answered. ${next}`);
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
  });
  beat();
  return {
    name,
    commands,
    async invoke({ command, input }, signal) {
      const interrupted = (next: string) =>
        new ToolError('interrupted', `The call of ${name} was interrupted; the node ${next}.`);
      if (signal.aborted) throw interrupted('did not get the command');
      const full = `${name} has ${maxPending} unanswered invocations. Wait until it has answered one.`;
      if (waiting.size >= maxPending) throw new ToolError('limit_reached', full);
      const id = String(++count);
      let stop = () => {};
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          stop = onAbort(signal, () => reject(interrupted('may still run the command')));
          socket.send(JSON.stringify({ type: 'invoke', id, command, input }));
        });
      } finally {
        stop();
        if (waiting.delete(id)) forgotten.set(id, true);
      }
    },
  };
}

/** Closes a connection with a reason, and terminates it if the node does not close its side. */
export function closeSocket(socket: Socket, code: number, reason: string, timers: Timers): void {
  socket.close(code, reason);
  const ending = unrefTimer(timers.set(() => socket.terminate(), closingMs));
  socket.once('close', () => timers.clear(ending));
}
