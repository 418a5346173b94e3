import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { once } from '../../core/support/once.js';

/** `OAuthClientProvider` of @modelcontextprotocol/sdk: keeps the tokens of one server and sends a person to log in. */
export type McpAuthProvider = OAuthClientProvider;

/** The client of the SDK: one connection to one server. */
export type SdkClient = Client;

/** A transport of the SDK with additional methods. */
export interface McpTransport extends Transport {
  /** The reason why the transport ended, with the last stderr output of the server. */
  whyEnded?(): string | undefined;
  /** Called when the response to a request has arrived. */
  answered?(id: unknown): void;
  /** Exchanges the code of a finished authorisation for tokens. */
  finishAuth?(code: string): Promise<void>;
}

/** The part of the SDK that each connection needs. */
export const loadSdk = once(async () => {
  const [{ Client }, types, z] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
    import('zod/v4'),
  ]);
  // The schemas of the SDK reject a whole list because of one invalid tool, so this client takes the raw results and
  // checks them itself.
  return { Client, types, anyResult: z.looseObject({}) };
});

export const loadHttp = once(async () => {
  const [{ StreamableHTTPClientTransport }, { SSEClientTransport }, { UnauthorizedError }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/client/sse.js'),
    import('@modelcontextprotocol/sdk/client/auth.js'),
  ]);
  return { StreamableHTTPClientTransport, SSEClientTransport, UnauthorizedError };
});
