import { lookup as lookupAddresses } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import type { Client, Dispatcher } from 'undici';
import { onAbort, type Timers } from '../../core/support/timers.js';
import { bareHost } from '../../core/support/urls.js';
import type { Lookup } from './address-guard.js';

/** A checked address, and the host name that resolved to it. */
export interface ConnectTarget {
  readonly ip: string;
  readonly port: number;
  readonly hostname: string;
  /** Whether TLS is started on the connection. */
  readonly secure: boolean;
}

/** Opens a TCP connection. */
export type Connect = (target: ConnectTarget, signal: AbortSignal) => Promise<Duplex>;

/** One request to one host. */
export interface ExchangeRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** Tried in this order. */
  readonly addresses: readonly string[];
}

/** The head of a response, and its body as a stream. The caller must close the exchange. */
export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** The error that ended the connection before the end of the body. Known once the body has been read. */
  failure(): Error | undefined;
  close(): void;
}

/** The time limit for connecting to one address. After it, the next address is tried. */
const connectMs = 10_000;

/** Resolves with the system's resolver. */
export const systemLookup: Lookup = async (hostname) =>
  (await lookupAddresses(hostname, { all: true })).map(({ address }) => address);

/** Connects with sockets of the system. */
export function systemConnect(timers: Timers): Connect {
  return async ({ ip, port }, signal) => {
    const socket = connectSocket({ host: ip, port, noDelay: true });
    const timer = timers.set(() => socket.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })), connectMs);
    return await established(socket, 'connect', signal).finally(() => timers.clear(timer));
  };
}

/** Sends one request over its own connection and resolves when the head of the response has arrived. */
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
        // undici expects the stream asynchronously. It gets the stream only once: a retry would use a closed stream.
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
 * Dispatches one request. The body is buffered as fast as it arrives, because undici throws an error that cannot be
 * caught if a connection closes while its parser is paused. The reader of the body enforces the size limit: it closes
 * the connection.
 */
function answerOf(client: Client, options: Dispatcher.DispatchOptions, signal: AbortSignal) {
  const body = new Readable({ read: () => {} });
  body.on('error', () => {});
  let failure: Error | undefined;
  return new Promise<Omit<Exchange, 'close'>>((resolve, reject) => {
    const stop = onAbort(signal, () => {
      body.destroy(signal.reason);
      reject(signal.reason);
    });
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
      onComplete: () => {
        stop();
        body.push(null);
      },
      onError: (error) => {
        stop();
        // destroy() would lose the part that has arrived.
        failure = error;
        body.push(null);
        reject(error);
      },
    });
  });
}

/** Header fields by lower-case name (any name, even `__proto__`). Repeated fields are joined. */
function joinedHeaders(raw: readonly Buffer[]): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2).map((text) => text.toString('latin1'));
    const before = fields.get(name.toLowerCase());
    fields.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(fields);
}

/** Connects to the first address that accepts a connection. */
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
      // An error without a listener would end the process.
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
  // An IP address cannot be sent as SNI, but the certificate is checked against the address.
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
