import { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import type { GuardedConnections } from '../../web/fetch/create-http-client.js';

type Done = (error: unknown, stream?: Duplex) => void;

/**
 * An HTTPS agent for a package that makes its own requests. It connects only to addresses that an HTTP client allows.
 * `close` destroys all its connections, also those upgraded to WebSocket.
 */
export function guardedAgent(
  connections: GuardedConnections,
  signal: AbortSignal,
): { readonly agent: Agent; close(): void } {
  const control = new AbortController();
  const ends = AbortSignal.any([control.signal, signal]);
  const streams = new Set<Duplex>();
  const connect = async (host: string, port: number): Promise<Duplex> => {
    const plain = await connections.open(`https://${host}:${port}/`, ends);
    const stream = connectSecurely({ socket: plain, host, servername: host });
    streams.add(plain).add(stream);
    return stream;
  };
  const agent = Object.assign(new Agent(), {
    createConnection({ host = '', port = 443 }: { host?: string; port?: number }, done: Done) {
      connect(host, Number(port)).then((stream) => done(null, stream), done);
    },
  });
  return {
    agent,
    close() {
      control.abort();
      for (const stream of streams) stream.destroy();
    },
  };
}
