import { isIP } from 'node:net';
import { ToolError } from '../../core/error.js';
import { hostName } from '../../core/http/host-names.js';
import { parseAddress } from '../../core/http/parse-address.js';
import { carriedAddress, isPublicAddress } from './public-address.js';

/** Which hosts may be reached, by their names in an address. */
export interface ReachableHosts {
  /** Undefined: all. */
  readonly allowed: ((host: string) => boolean) | undefined;
  readonly denied: (host: string) => boolean;
  /** Those that may have addresses which are not public. */
  readonly mayBePrivate: (host: string) => boolean;
}

/** All addresses of a host name. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Addresses of one host that are tried, one after the other. */
const maxAddresses = 8;

/** Reads an address; `url_blocked` for one that may not be fetched whatever its host resolves to. */
export function checkedUrl(text: string, { allowed, denied }: ReachableHosts): URL {
  const url = parseAddress(text);
  if (url === undefined) throw blocked('This is no web address. Give a whole one, such as https://example.com/page.');
  const { protocol, hostname, username, password } = url;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw blocked('Only http and https are fetched. Give an address of one of them.');
  if (username !== '' || password !== '')
    throw blocked('Addresses with a user or a password are not fetched. Leave out what stands before the @.');
  if (denied(hostname)) throw blocked(`The host ${hostname} is denied. Look for the content at another host.`);
  if (allowed?.(hostname) === false)
    throw blocked(`The host ${hostname} is none of those that this program allows. Fetch from an allowed one.`);
  return url;
}

/** The addresses of a host, asked for once: those that may be connected to. One that may not be refuses all. */
export async function checkedAddresses(
  { hostname }: URL,
  hosts: ReachableHosts,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const answers = isIP(literal) === 0 ? await resolved(hostname, lookup, signal) : [literal];
  const addresses = [...new Set(answers)];
  if (addresses.some((address) => isIP(address) === 0))
    throw blocked(`${hostname} leads to what is no address. Use another host.`);
  if (addresses.some((address) => spellings(address).some(hosts.denied)))
    throw blocked(`The address of ${hostname} is denied. Look for the content at another host.`);
  if (!hosts.mayBePrivate(hostname) && !addresses.every(isPublicAddress))
    throw blocked(
      `${hostname} leads to a private or reserved address, and only public ones are fetched. Tell the user.`,
    );
  return addresses.slice(0, maxAddresses);
}

/** An address, and the IPv4 address that it holds where networks translate: both name the same host. */
function spellings(address: string): readonly string[] {
  return [address, carriedAddress(address)].flatMap((one) => (one === undefined ? [] : (hostName(one) ?? one)));
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

/** A refusal by the rules of the client, not by the other side. */
export function blocked(message: string): ToolError {
  return new ToolError('url_blocked', message);
}
