import { hostMatcher, hostName } from '../../core/http/host-names.js';
import type { LimitOverrides } from '../../core/limits.js';
import { resolveLimits } from '../../core/resolve-limits.js';
import { lazily } from '../../core/support/lazy-value.js';
import { once } from '../../core/support/once.js';
import { assertOptions, kindOf, type OptionKinds, timersKind } from '../../core/support/option-kinds.js';
import type { Timers } from '../../core/support/timers.js';
import type { HttpClient } from '../../ports/http-client.js';
import type { Lookup } from './address-guard.js';
import type { Connect } from './http-exchange.js';
import type { RequestRules } from './http-requests.js';

/** What may be reached on the web. */
export interface WebSettings {
  /** Only these hosts and their subdomains; none for an empty list. Default: all. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Not these hosts and their subdomains, whatever else is allowed. Default none. */
  readonly denyHosts?: readonly string[] | undefined;
  /** Whether addresses that are not public may be reached: by any name, or by these hosts and below. Default false. */
  readonly allowPrivate?: boolean | readonly string[] | undefined;
  /** Whether `get` keeps to what the robots.txt of a host disallows. Default false. */
  readonly robots?: boolean | undefined;
  /** How requests name the program that sends them. Default `toolwright`. */
  readonly userAgent?: string | undefined;
}

/** What an HTTP client may reach, and how. */
export interface HttpClientOptions extends WebSettings {
  /** All addresses of a host name. Default: the resolver of the system. */
  readonly lookup?: Lookup | undefined;
  /**
   * A plain connected stream to an address that was checked; TLS is put on top of it. Default: a socket of the system.
   * Proxies that the environment names are not used: whoever needs one connects through it here.
   */
  readonly connect?: Connect | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
  /** The limits of the group `web`, by themselves or as `{ web: … }`. */
  readonly limits?: LimitOverrides['web'] | { readonly web: LimitOverrides['web'] };
}

const hosts = {
  takes: 'a list of host names, such as example.com',
  isShown: true,
  holds: (value: unknown) =>
    kindOf.texts.holds(value) && (value as readonly string[]).every((name) => hostName(name) !== undefined),
};

/** The kinds of {@link WebSettings}. */
export const webKinds: OptionKinds<WebSettings> = {
  allowHosts: hosts,
  denyHosts: hosts,
  allowPrivate: {
    ...hosts,
    takes: `true, false or ${hosts.takes}`,
    holds: (value) => typeof value === 'boolean' || hosts.holds(value),
  },
  robots: kindOf.flag,
  userAgent: {
    takes: 'a text in one line',
    holds: (value) => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value),
  },
};
const clientKinds: OptionKinds<HttpClientOptions> = {
  ...webKinds,
  lookup: kindOf.callback,
  connect: kindOf.callback,
  timers: timersKind,
  limits: kindOf.record,
};

/**
 * A client for the public web. Each host, of each redirect too, is resolved once, refused unless all its addresses are
 * public, and connected to at an address that was checked. Sizes count after decompression, and the time limit holds
 * for everything together. Throws a TypeError for an option that makes no sense.
 */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  assertOptions('createHttpClient', options, clientKinds);
  const { lookup, connect, timers, limits = {}, allowHosts, denyHosts = [], allowPrivate = false } = options;
  const { robots = false, userAgent = 'toolwright' } = options;
  const { web } = resolveLimits({ web: 'web' in limits ? limits.web : limits });
  const rules = lazily(() => {
    const hosts = {
      allowed: allowHosts && hostMatcher(allowHosts),
      denied: hostMatcher(denyHosts),
      mayBePrivate: typeof allowPrivate === 'boolean' ? () => allowPrivate : hostMatcher(allowPrivate),
    };
    return { hosts, lookup, connect, limits: web, robots, userAgent, timers };
  });
  const requests = once(async () => {
    const { HttpRequests } = await import('./http-requests.js');
    return new HttpRequests(rules());
  });
  const client: HttpClient = {
    get: async ({ url, headers, maxBytes, staysOnHost }, { signal }) =>
      (await requests()).send({ url, headers, maxBytes, staysOnHost }, signal),
    post: async (request, { signal }) => (await requests()).send(request, signal),
  };
  rulesOfClients.set(client, rules);
  return client;
}

const rulesOfClients = new WeakMap<HttpClient, () => RequestRules>();

/** What a client keeps to that {@link createHttpClient} made; undefined for another one. */
export function rulesOfClient(client: HttpClient): RequestRules | undefined {
  return rulesOfClients.get(client)?.();
}
