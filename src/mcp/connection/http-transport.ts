import { mcpNumbers } from '../../core/numbers.js';
import { atLatest } from '../../core/support/timer.js';
import { BoundedFetch } from './bounded-fetch.js';
import type { MessageRate } from './message-rate.js';
import { errorAnswer } from './messages.js';
import { loadHttp, type McpAuthProvider, type McpTransport } from './sdk.js';
import type { McpLaunch } from './server-config.js';
import { watchedProvider } from './watched-provider.js';

/** A server behind an address, and how to speak with it. */
export interface HttpOptions {
  readonly launch: Exclude<McpLaunch, { kind: 'stdio' }>;
  readonly authProvider?: McpAuthProvider | undefined;
  readonly maxMessageBytes: number;
  readonly rate: MessageRate;
  /** The server waits for somebody to log in. */
  onLogin(transport: McpTransport): void;
  /** What must never be shown. */
  onSecret(secret: string): void;
}

/** A transport over HTTP: streamable, or the older SSE. */
export async function httpTransport(options: HttpOptions, kind: 'http' | 'sse'): Promise<McpTransport> {
  const { launch, authProvider, maxMessageBytes, rate, onSecret } = options;
  const { StreamableHTTPClientTransport, SSEClientTransport } = await loadHttp();
  // Not by requestInit, which the SDK also sends to the authorization server that an answer names.
  const bounded = new BoundedFetch({
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
    ...(authProvider && { authProvider: watchedProvider(authProvider, { onSecret, onLogin }) }),
  };
  const streamable = kind === 'http' ? new StreamableHTTPClientTransport(launch.url, settings) : undefined;
  const transport = (streamable ?? new SSEClientTransport(launch.url, settings)) as McpTransport;
  transport.answered = (id) => bounded.answered(id);
  if (streamable === undefined) return transport;
  const close = streamable.close.bind(streamable);
  streamable.close = async () => {
    // A server that hears of it can forget the session; one that does not must hold nobody up.
    await atLatest(streamable.terminateSession(), mcpNumbers.farewellMs);
    await close();
  };
  return transport;
}
