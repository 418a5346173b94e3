import { createServer, type RequestListener } from 'node:http';
import { duplexPair } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import { createHttpClient } from 'toolwright';
import type { HttpClientOptions } from '../../src/web/fetch/create-http-client.js';
import type { ConnectTarget } from '../../src/web/fetch/http-exchange.js';
import { type SelfSigned, selfSigned } from './certificate.js';

/** The result of a look-up. */
export type DnsAnswer = readonly string[] | 'hang' | 'servfail';

/**
 * An internet in memory: the addresses of names, one answer for each look-up (the last one repeats), and the responses
 * of every address.
 */
export interface Internet {
  readonly dns?: Readonly<Record<string, readonly DnsAnswer[]>>;
  readonly serve?: RequestListener;
  readonly options?: HttpClientOptions;
}

let ownCertificate: SelfSigned | undefined;

/** A client in such a world, with its look-ups and connections. */
export function webWorld({
  dns = {},
  serve = (_request, response) => void response.end('hello'),
  options = {},
}: Internet = {}) {
  const connected: ConnectTarget[] = [];
  const lookups: string[] = [];
  const server = createServer(serve);
  const client = createHttpClient({
    lookup: async (hostname) => {
      const answers = Object.hasOwn(dns, hostname) ? (dns[hostname] ?? []) : [];
      const answer = answers[Math.min(answers.length - 1, lookups.filter((name) => name === hostname).length)];
      lookups.push(hostname);
      if (answer === 'hang') return new Promise(() => {});
      if (answer === 'servfail' || answer === undefined)
        throw Object.assign(new Error('queryA failed'), { code: 'ESERVFAIL' });
      return [...answer];
    },
    connect: async (target) => {
      connected.push(target);
      const [ours, theirs] = duplexPair();
      server.emit('connection', target.secure ? secure(theirs) : theirs);
      return ours;
    },
    ...options,
  });
  return { client, connected, lookups };
}

function secure(stream: ReturnType<typeof duplexPair>[0]): TLSSocket {
  ownCertificate ??= selfSigned('example.org');
  const socket = new TLSSocket(stream, { isServer: true, secureContext: createSecureContext(ownCertificate) });
  return socket.on('error', () => {});
}
