import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Who may speak to a server over HTTP. */
export interface HttpGuardOptions {
  /** The address that the server listens at. */
  readonly host: string;
  readonly token: string | false;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

/** An answer to a request that may not pass. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
}

/**
 * Judges requests by their headers: undefined for one that may pass. A page of another site cannot get past it by a
 * name that it has made lead to this machine, since such a name is neither an address nor among the names that are
 * served.
 */
export function httpGuard(options: HttpGuardOptions): (request: IncomingMessage) => HttpRefusal | undefined {
  const { token, allowedOrigins } = options;
  const names = new Set(['localhost', options.host, ...options.allowedHosts].map((name) => name.toLowerCase()));
  const expected = token === false ? undefined : digest(`Bearer ${token}`);
  return ({ headers: { host = '', origin, authorization = '' } }) => {
    const name = hostName(host);
    if (name === undefined || !(isIP(name) > 0 || names.has(name)))
      return { status: 403, message: 'Forbidden: this Host is not served' };
    if (origin !== undefined && !isSameHost(origin, host) && !allowedOrigins.includes(origin))
      return { status: 403, message: 'Forbidden: this Origin is not allowed' };
    if (expected !== undefined && !timingSafeEqual(digest(authorization.replace(/^bearer +/i, 'Bearer ')), expected))
      return { status: 401, message: 'Unauthorized: send the header Authorization: Bearer TOKEN' };
    return undefined;
  };
}

/** Whether only programs of this machine reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Digests have one length, and comparing them says nothing of how far two texts are alike. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function hostName(host: string): string | undefined {
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  // Anything beside name and port is no Host.
  if (url === undefined || url.pathname !== '/' || url.username !== '' || url.search !== '') return undefined;
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function isSameHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(`http://${host}`).host;
}
