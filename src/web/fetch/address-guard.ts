import { isIP } from 'node:net';
import { ToolError } from '../../core/error.js';
import { bareHost, hostName, parseAddress } from '../../core/support/urls.js';
import { embeddedAddress, isPublicAddress } from './public-address.js';

/** Rules for the hosts of requests. */
export interface ReachableHosts {
  /** Undefined allows every host. */
  readonly allowed: ((host: string) => boolean) | undefined;
  readonly denied: (host: string) => boolean;
  readonly mayBePrivate: (host: string) => boolean;
}

/** Resolves a host name to all its addresses. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

const maxAddresses = 8;

/** Parses a URL. Throws `url_blocked` for a URL that is refused before its host is resolved. */
export function checkedUrl(text: string, { allowed, denied }: ReachableHosts): URL {
  const url = parseAddress(text);
  if (url === undefined) throw blocked('This is not a URL. Give a complete one, such as https://example.com/page.');
  const { protocol, hostname, username, password } = url;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw blocked('Only http and https URLs are fetched. Give one of those.');
  if (username !== '' || password !== '')
    throw blocked('URLs with a user name or password are not fetched. Remove the part before the @.');
  if (denied(hostname)) throw blocked(`The host ${hostname} is denied. Try another host.`);
  if (allowed?.(hostname) === false)
    throw blocked(`The host ${hostname} is not on the list of allowed hosts. Fetch from an allowed host.`);
  return url;
}

/**
 * Resolves the host of a URL, only once (DNS rebinding), and checks all its addresses (SSRF). Throws `url_blocked` if
 * one of the addresses is not allowed.
 */
export async function checkedAddresses(
  { hostname }: URL,
  hosts: ReachableHosts,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const literal = bareHost(hostname);
  const answers = isIP(literal) === 0 ? await resolved(hostname, lookup, signal) : [literal];
  const addresses = [...new Set(answers)];
  if (addresses.some((address) => isIP(address) === 0))
    throw blocked(`${hostname} resolved to an invalid IP address. Use another host.`);
  if (addresses.some((address) => spellings(address).some(hosts.denied)))
    throw blocked(`The address of ${hostname} is denied. Try another host.`);
  if (!hosts.mayBePrivate(hostname) && !addresses.every(isPublicAddress))
    throw blocked(
      `${hostname} resolves to a private or reserved address, and only public addresses are fetched. Tell the user.`,
    );
  return addresses.slice(0, maxAddresses);
}

/** An address, and the IPv4 address embedded in it (NAT64, mapped): a deny rule for either refuses the address. */
function spellings(address: string): readonly string[] {
  return [address, embeddedAddress(address)].flatMap((one) => (one === undefined ? [] : (hostName(one) ?? one)));
}

async function resolved(hostname: string, lookup: Lookup, signal: AbortSignal): Promise<readonly string[]> {
  const notFound = (cause?: unknown) =>
    new ToolError('network_failed', `No address was found for the host ${hostname}. Check how it is spelled.`, {
      cause,
    });
  let answers: unknown;
  try {
    answers = await lookup(hostname, signal);
  } catch (cause) {
    throw notFound(cause);
  }
  if (Array.isArray(answers) && answers.length > 0) return answers.map(String);
  throw notFound();
}

/** An error for a request that the client's own rules refuse. */
export function blocked(message: string): ToolError {
  return new ToolError('url_blocked', message);
}
