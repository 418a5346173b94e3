import type { Duplex } from 'node:stream';
import type { LimitOverrides } from '../../core/limits.js';
import { resolveLimits } from '../../core/resolve-limits.js';
import { assertOptions, kindOf, type OptionKinds, timersKind } from '../../core/support/check-values.js';
import { lazily, once } from '../../core/support/once.js';
import type { Timers } from '../../core/support/timers.js';
import { hostMatcher, hostName } from '../../core/support/urls.js';
import type { HttpClient } from '../../ports/http-client.js';
import type { Lookup, ReachableHosts } from './address-guard.js';
import type { Connect } from './http-exchange.js';
import type { RequestRules } from './send-request.js';

/** Settings for the requests of an HTTP client. */
export interface WebSettings {
  /** Only these hosts and their subdomains; an empty list allows no host. Default: all. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Never these hosts and their subdomains; takes precedence over `allowHosts`. Default none. */
  readonly denyHosts?: readonly string[] | undefined;
  /**
   * Whether hosts may resolve to private and reserved addresses: all hosts, or only the listed hosts and their
   * subdomains. Default false.
   */
  readonly allowPrivate?: boolean | readonly string[] | undefined;
  /** Whether `get` respects robots.txt. Default false. */
  readonly robots?: boolean | undefined;
  /** User-Agent of requests, in printable ASCII. Default `toolwright`. */
  readonly userAgent?: string | undefined;
}

/** Options of {@link createHttpClient}. */
export interface HttpClientOptions extends WebSettings {
  /** Resolves a host name to all its addresses. Default: the resolver of the system. */
  readonly lookup?: Lookup | undefined;
  /**
   * Opens a connection to a checked address; TLS is added on top. Default: a socket of the system. Proxy variables of
   * the environment are ignored; to use a proxy, connect through it here.
   */
  readonly connect?: Connect | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
  /** Limits of the group `web`, directly or as `{ web: … }`. */
  readonly limits?: LimitOverrides['web'] | { readonly web: LimitOverrides['web'] };
}

const hosts = {
  takes: 'a list of host names, such as example.com',
  isShown: true,
  holds: (value: unknown) =>
    kindOf.texts.holds(value) && (value as readonly string[]).every((name) => hostName(name) !== undefined),
};

/** The expected type of each field of {@link WebSettings}. */
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
    takes: 'a line of printable ASCII characters, such as my-agent/1.0',
    isShown: true,
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
 * An HTTP client for the public web that prevents SSRF. For each request and redirect, the client resolves the host
 * once, refuses the host unless all its addresses are public, and connects to a checked address. DNS rebinding fails
 * because there is no second lookup. Sizes are measured after decompression (against zip bombs), and the time limit
 * covers the whole exchange. The client does not protect against public servers that forward requests to private
 * addresses. Throws a TypeError for invalid options.
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
    const { httpRequests } = await import('./send-request.js');
    return httpRequests(rules());
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

/** The host rules of a client and its checked connections, for a caller that speaks HTTP itself. */
export interface GuardedConnections {
  readonly hosts: ReachableHosts;
  open(url: string, signal: AbortSignal): Promise<Duplex>;
}

/** The connections of a client; undefined for a client that {@link createHttpClient} did not make. */
export function connectionsOf(client: HttpClient): GuardedConnections | undefined {
  const rules = rulesOfClients.get(client)?.();
  return (
    rules && {
      hosts: rules.hosts,
      async open(url, signal) {
        const { guardedConnection } = await import('./send-request.js');
        return await guardedConnection(url, rules, signal);
      },
    }
  );
}
