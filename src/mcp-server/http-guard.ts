import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isSameSecret } from '../core/support/same-secret.js';
import { bareHost, parseAddress } from '../core/support/urls.js';

/** Access rules of a server over HTTP. */
export interface HttpGuardOptions {
  /** The address that the server listens on. */
  readonly host: string;
  readonly token: string | false;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
}

/**
 * Creates the check of request headers, which returns undefined for an allowed request. In DNS rebinding, the name of a
 * foreign site resolves to this machine, and pages of the site send that name as `Host`. So the check refuses a `Host`
 * that is neither an IP address nor a served name. The check does not stop local programs that know the token.
 */
export function httpGuard(options: HttpGuardOptions): (request: IncomingMessage) => HttpRefusal | undefined {
  const { token, allowedOrigins } = options;
  const names = new Set(['localhost', options.host, ...options.allowedHosts].map((name) => name.toLowerCase()));
  const expected = token === false ? undefined : `Bearer ${token}`;
  return ({ headers: { host = '', origin, authorization = '' } }) => {
    const name = hostName(host);
    if (name === undefined || !(isIP(name) > 0 || names.has(name)))
      return { status: 403, message: 'Forbidden: this Host is not served' };
    if (origin !== undefined && !isSameHost(origin, host) && !allowedOrigins.includes(origin))
      return { status: 403, message: 'Forbidden: this Origin is not allowed' };
    if (expected !== undefined && !isSameSecret(authorization.replace(/^bearer +/i, 'Bearer '), expected))
      return { status: 401, message: 'Unauthorized: send the header Authorization: Bearer TOKEN' };
    return undefined;
  };
}

/** Whether an address is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function hostName(host: string): string | undefined {
  const url = parseAddress(`http://${host}`);
  // A Host header contains only a name and a port.
  if (url === undefined || url.pathname !== '/' || url.username !== '' || url.search !== '') return undefined;
  return bareHost(url.hostname);
}

function isSameHost(origin: string, host: string): boolean {
  const url = parseAddress(origin);
  return url !== undefined && url.host === new URL(`http://${host}`).host;
}
