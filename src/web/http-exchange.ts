import { lookup as lookupAddresses } from 'node:dns/promises';
import { once } from 'node:events';
import { type IncomingMessage, request as startRequest } from 'node:http';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import type { Timers } from '../core/support/timers.js';
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
  const { url, method, headers, body } = request;
  const plain = await connected(request, connect, signal);
  let close = () => void plain.destroy();
  try {
    const stream = url.protocol === 'https:' ? await secured(plain, url.hostname, signal) : plain;
    const path = `${url.pathname}${url.search}`;
    // The type of the function names sockets, but any stream will do.
    const createConnection = () => stream as Socket;
    const sent = startRequest({ method, path, headers: { host: url.host, ...headers }, signal, createConnection });
    close = () => {
      sent.destroy();
      stream.destroy();
      plain.destroy();
    };
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      const fail = () => reject(new Error('the connection was closed, or another protocol follows'));
      sent.on('response', resolve).on('error', reject).on('upgrade', fail);
      // A stream that has closed before says so to no listener.
      sent.on('socket', () => void (stream.destroyed && fail()));
    });
    sent.end(body);
    const answer = await answered;
    answer.on('error', () => {});
    return { status: answer.statusCode ?? 0, headers: joinedHeaders(answer.rawHeaders), body: answer, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Fields by their names in small letters, any name at all; those of one name joined. */
function joinedHeaders(raw: readonly string[]): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) {
    const [name, value] = [(raw[at] ?? '').toLowerCase(), raw[at + 1] ?? ''];
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(fields);
}

/** A connection to the first of the addresses that takes one. */
async function connected({ url, addresses }: ExchangeRequest, connect: Connect, signal: AbortSignal): Promise<Duplex> {
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
