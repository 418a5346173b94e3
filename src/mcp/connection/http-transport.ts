import { mcpNumbers } from '../../core/numbers.js';
import { waitFor } from '../../core/support/timer.js';
import { boundedFetch } from './bounded-fetch.js';
import { errorAnswer } from './messages.js';
import { loadHttp, type McpAuthProvider, type McpTransport } from './sdk.js';
import type { McpLaunch } from './server-config.js';

/** A server behind an address, and how to speak with it. */
export interface HttpOptions {
  readonly launch: Exclude<McpLaunch, { kind: 'stdio' }>;
  readonly authProvider?: McpAuthProvider | undefined;
  readonly maxMessageBytes: number;
}

/** A transport over HTTP: streamable, or the older SSE. */
export async function httpTransport(options: HttpOptions, kind: 'http' | 'sse'): Promise<McpTransport> {
  const { launch, authProvider, maxMessageBytes } = options;
  const { StreamableHTTPClientTransport, SSEClientTransport } = await loadHttp();
  const settings = {
    // Not by requestInit, which the SDK also sends to the authorization server that an answer names.
    fetch: boundedFetch({
      maxMessageBytes,
      headersFor: (address) => (address.origin === launch.url.origin ? launch.headers : {}),
      onBroken: (id, ...why) => transport.onmessage?.(errorAnswer(id, ...why)),
    }),
    ...(authProvider && { authProvider }),
  };
  const streamable = kind === 'http' ? new StreamableHTTPClientTransport(launch.url, settings) : undefined;
  const transport = (streamable ?? new SSEClientTransport(launch.url, settings)) as McpTransport;
  if (streamable === undefined) return transport;
  const close = streamable.close.bind(streamable);
  streamable.close = async () => {
    // A server that hears of it can forget the session; one that does not must hold nobody up.
    await Promise.race([streamable.terminateSession().catch(() => {}), waitFor(mcpNumbers.farewellMs)]);
    await close();
  };
  return transport;
}
