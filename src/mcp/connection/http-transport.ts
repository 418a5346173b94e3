import { mcpNumbers } from '../../core/fixed-limits.js';
import { isRecord } from '../../core/support/check-values.js';
import { atLatest } from '../../core/support/timers.js';
import { boundedFetch } from './bounded-fetch.js';
import type { MessageRate } from './message-stream.js';
import { errorAnswer } from './repair-messages.js';
import { loadHttp, type McpAuthProvider, type McpTransport } from './sdk.js';
import type { McpLaunch } from './server-config.js';

export interface HttpOptions {
  readonly launch: Exclude<McpLaunch, { kind: 'stdio' }>;
  readonly authProvider?: McpAuthProvider | undefined;
  readonly maxMessageBytes: number;
  readonly rate: MessageRate;
  /** Called when the server needs the user to log in. */
  onLogin(transport: McpTransport): void;
  /** Called with each secret that must be scrubbed from output. */
  onSecret(secret: string): void;
}

/** A transport over HTTP: streamable, or the older SSE. */
export async function httpTransport(options: HttpOptions, kind: 'http' | 'sse'): Promise<McpTransport> {
  const { launch, authProvider, maxMessageBytes, rate, onSecret } = options;
  const { StreamableHTTPClientTransport, SSEClientTransport } = await loadHttp();
  // Headers are not passed in `requestInit`: the SDK would also send them to the authorization server that a response
  // names.
  const bounded = boundedFetch({
    maxMessageBytes,
    rate,
    isAnsweredInPlace: kind === 'http',
    mayWiden: kind === 'http' && authProvider !== undefined,
    headersFor: (address) => (address.origin === launch.url.origin ? launch.headers : {}),
    onBroken: (id, ...why) => transport.onmessage?.(errorAnswer(id, ...why)),
  });
  const onLogin = () => options.onLogin(transport);
  const settings = {
    fetch: bounded.fetch,
    ...(authProvider && { authProvider: watchedProvider(authProvider, onSecret, onLogin) }),
  };
  const streamable = kind === 'http' ? new StreamableHTTPClientTransport(launch.url, settings) : undefined;
  const transport = (streamable ?? new SSEClientTransport(launch.url, settings)) as McpTransport;
  transport.answered = bounded.answered;
  if (streamable === undefined) return transport;
  const close = streamable.close.bind(streamable);
  streamable.close = async () => {
    // Lets the server forget the session, without waiting long for its answer.
    await atLatest(streamable.terminateSession(), mcpNumbers.shortRequestMs);
    await close();
  };
  return transport;
}

const minSecretChars = 8;

/** Wraps an auth provider and reports the tokens it returns and the logins it starts. */
function watchedProvider(
  provider: McpAuthProvider,
  onSecret: (token: string) => void,
  onLogin: () => void,
): McpAuthProvider {
  const watched: Pick<McpAuthProvider, 'tokens' | 'redirectToAuthorization'> = {
    tokens: async () => {
      const tokens = await provider.tokens();
      for (const [name, value] of Object.entries(isRecord(tokens) ? tokens : {}))
        if (/_token$/.test(name) && typeof value === 'string' && value.length >= minSecretChars) onSecret(value);
      return tokens;
    },
    redirectToAuthorization: async (address) => {
      await provider.redirectToAuthorization(address);
      onLogin();
    },
  };
  return new Proxy(provider, {
    get: (_, name) => {
      if (Object.hasOwn(watched, name)) return watched[name as keyof typeof watched];
      const value: unknown = Reflect.get(provider, name);
      return typeof value === 'function' ? value.bind(provider) : value;
    },
  });
}
