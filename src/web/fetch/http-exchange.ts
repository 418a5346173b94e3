import { lookup as lookupAddresses } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import type { Client, Dispatcher } from 'undici';
import type { Timers } from '../../core/support/timers.js';
import type { Lookup } from './address-guard.js';

/** Where to connect to: an address that was checked, and the name it was found by. */
export interface ConnectTarget {
  readonly ip: string;
  readonly port: number;
  readonly hostname: string;
  /** TLS follows on the connected stream. */
  readonly secure: boolean;
}

/** Gives a plain connected stream. */
export type Connect = (target: ConnectTarget, signal: AbortSignal) => Promise<Duplex>;

/** One request to one address of one host. */
export interface ExchangeRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** In the order in which they are tried. */
  readonly addresses: readonly string[];
}

/** The head of an answer, and its body as it comes. Close it. */
export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Why the connection ended before the body did; known when the body has been read. */
  failure(): Error | undefined;
  close(): void;
}

/** An address that has not taken the connection by then is given up for the next one of its host. */
const connectMs = 10_000;

/** The resolver of the system. */
export const systemLookup: Lookup = async (hostname) =>
  (await lookupAddresses(hostname, { all: true })).map(({ address }) => address);

/** Gives sockets of the system. */
export function systemConnect(timers: Timers): Connect {
  return async ({ ip, port }, signal) => {
    const socket = connectSocket({ host: ip, port, noDelay: true });
    const timer = timers.set(() => socket.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })), connectMs);
    return await established(socket, 'connect', signal).finally(() => timers.clear(timer));
  };
}

/** Sends one request over a connection of its own, and answers as soon as the head of the answer is there. */
export async function exchange(request: ExchangeRequest, connect: Connect, signal: AbortSignal): Promise<Exchange> {
  const { url, method, headers, body = null } = request;
  const { Client } = await import('undici');
  const plain = await connected(request, connect, signal);
  let close = () => void plain.destroy();
  try {
    const stream = url.protocol === 'https:' ? await secured(plain, url.hostname, signal) : plain;
    const streams = [stream];
    const client = new Client(url.origin, {
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, done) => {
        // Once, or it would go on trying with a stream that has ended; and not at once, which it does not expect.
        const unused = streams.pop() as Socket | undefined;
        const closed = () => done(new Error('the connection was closed'), null);
        queueMicrotask(() => (unused === undefined ? closed() : done(null, unused)));
      },
    });
    close = () => {
      client.destroy().catch(() => {});
      stream.destroy();
      plain.destroy();
    };
    const path = `${url.pathname}${url.search}`;
    const answer = await answerOf(
      client,
      { path, method, headers, body: body as string | Buffer, reset: true },
      signal,
    );
    return { ...answer, close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Dispatches one request. The body is taken as fast as it comes: undici throws what nothing can catch where a connection
 * closes while its parser waits for a reader. Whoever reads the body closes the connection past a bound.
 */
function answerOf(client: Client, options: Dispatcher.DispatchOptions, signal: AbortSignal) {
  const body = new Readable({ read: () => {} });
  body.on('error', () => {});
  let failure: Error | undefined;
  return new Promise<Omit<Exchange, 'close'>>((resolve, reject) => {
    const abort = () => {
      body.destroy(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    client.dispatch(options, {
      onConnect: () => {},
      onHeaders: (status, fields) => {
        if (status >= 200) resolve({ status, headers: joinedHeaders(fields), body, failure: () => failure });
        return true;
      },
      onData: (chunk) => {
        body.push(chunk);
        return true;
      },
      onComplete: () => void body.push(null),
      onError: (error) => {
        // Not destroyed, which would lose the part that came.
        failure = error;
        body.push(null);
        reject(error);
      },
    });
  });
}

/** Fields by their names in small letters, any name at all; those of one name joined. */
function joinedHeaders(raw: readonly Buffer[]): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2).map((text) => text.toString('latin1'));
    const before = fields.get(name.toLowerCase());
    fields.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(fields);
}

/** A connection to the first of the addresses that takes one. */
export async function connected(
  { url, addresses }: Pick<ExchangeRequest, 'url' | 'addresses'>,
  connect: Connect,
  signal: AbortSignal,
): Promise<Duplex> {
  const secure = url.protocol === 'https:';
  const port = Number(url.port) || (secure ? 443 : 80);
  let failure: unknown;
  for (const ip of addresses) {
    try {
      const stream = await connect({ ip, port, hostname: bareHost(url.hostname), secure }, signal);
      // Nobody else may be listening at the moment when it fails.
      stream.on('error', () => {});
      if (!signal.aborted) return stream;
      stream.destroy();
    } catch (error) {
      failure = error;
    }
    signal.throwIfAborted();
  }
  throw failure;
}

async function secured(stream: Duplex, hostname: string, signal: AbortSignal): Promise<Duplex> {
  const host = bareHost(hostname).replace(/\.$/, '');
  // An address is no server name, but the certificate must be for it all the same.
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = connectSecurely({ socket: stream, host, ...name, ALPNProtocols: ['http/1.1'] });
  return await established(socket, 'secureConnect', signal);
}

async function established<Stream extends Socket>(socket: Stream, event: string, signal: AbortSignal): Promise<Stream> {
  socket.on('error', () => {});
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
