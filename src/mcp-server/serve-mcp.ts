import { callerKind } from '../core/caller-kind.js';
import type { Caller } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { resolveLimits } from '../core/resolve-limits.js';
import { assertOptions, having, kindOf, type OptionKinds, orFalse } from '../core/support/option-kinds.js';
import { loadSdk } from './load-sdk.js';
import { serveHttp } from './serve-http.js';
import { serveStdio } from './serve-stdio.js';

/** Where a server listens, and whom it answers. */
export interface HttpTransport {
  /** 0 takes any that is free. */
  readonly port: number;
  /** Default `127.0.0.1`: programs of this machine alone. */
  readonly host?: string | undefined;
  /** What clients send as `Authorization: Bearer …`: at least 16 characters. `false`, on loopback only: nothing. */
  readonly token: string | false;
  /** Names in `Host` that are served besides addresses, `localhost` and `host`. Default none. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins such as `https://app.example.com` whose pages may send requests. Default: those of the server's own. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** How a toolkit is served. */
export interface ServeMcpOptions {
  readonly transport: 'stdio' | HttpTransport;
  /**
   * Whose calls they are. Over HTTP each client has a session of its own, whose id begins with this one, and which ends
   * with it. Default `{ sessionId: 'mcp' }`.
   */
  readonly caller?: Caller | undefined;
  readonly limits?: { readonly [Name in keyof Limits['mcpServer']]?: number | undefined } | undefined;
}

/** A toolkit that is being served. */
export interface McpServing {
  /** The address, over HTTP. */
  readonly url?: string;
  /** Ends every connection, aborts what they run and stops listening. The toolkit stays. */
  close(): Promise<void>;
  /** Resolves when it has ended: by {@link close}, or over stdio because the client has gone. */
  readonly closed: Promise<void>;
}

const optionKinds: OptionKinds<ServeMcpOptions> = {
  transport: {
    takes: "'stdio' or { port, token }",
    isShown: true,
    holds: (value) => value === 'stdio' || kindOf.record.holds(value),
  },
  caller: callerKind,
  limits: kindOf.record,
};

const httpKinds: OptionKinds<HttpTransport> = {
  port: {
    takes: 'a port from 0 to 65535',
    isShown: true,
    holds: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
  },
  host: kindOf.text,
  token: orFalse({
    takes: 'a text of at least 16 characters',
    holds: (value) => typeof value === 'string' && value.length >= 16,
  }),
  allowedHosts: kindOf.texts,
  allowedOrigins: kindOf.texts,
};

/**
 * Offers the tools of a toolkit, and the files of its roots as resources, to clients of the Model Context Protocol. What
 * may run is decided as everywhere: a question goes to the person at the client where the client can ask one, else to
 * the `onAsk` of the toolkit, and without either the call is denied. Rejects with a TypeError for a mistake in the
 * options, and where the port is taken.
 */
export async function serveMcp(toolkit: Toolkit, options: ServeMcpOptions): Promise<McpServing> {
  assertOptions('serveMcp', { toolkit }, { toolkit: having('a toolkit', 'call', 'decide', 'definitions') });
  assertOptions('serveMcp', options, optionKinds);
  const { transport, caller = { sessionId: 'mcp' }, limits: overrides = {} } = options;
  if (transport === undefined) throw new TypeError("serveMcp: pass transport, 'stdio' or { port, token }");
  if (transport !== 'stdio') {
    assertOptions('serveMcp: transport', transport, httpKinds);
    if (transport.port === undefined || transport.token === undefined)
      throw new TypeError('serveMcp: transport takes port and token; token: false leaves it open to this machine');
  }
  const { maxMessageBytes, ...rest } = resolveLimits({ mcpServer: overrides }).mcpServer;
  // The SDK takes neither none nor no end of it.
  const limits = { ...rest, maxMessageBytes: Math.min(Math.max(maxMessageBytes, 1), Number.MAX_SAFE_INTEGER) };
  const parts = { sdk: await loadSdk(), toolkit, caller, limits };
  return await (transport === 'stdio' ? serveStdio(parts) : serveHttp(parts, transport));
}
