import { callerKind } from '../core/check-caller.js';
import type { Caller } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { resolveLimits } from '../core/resolve-limits.js';
import { assertOptions, having, kindOf, type OptionKinds, orFalse } from '../core/support/check-values.js';
import { loadSdk } from './load-sdk.js';
import { type HttpTransport, serveHttp } from './serve-http.js';
import { serveStdio } from './serve-stdio.js';
import type { McpServing } from './server-for-client.js';

/** Options of {@link serveMcp}. */
export interface ServeMcpOptions {
  readonly transport: 'stdio' | HttpTransport;
  /**
   * The caller of all calls. Over HTTP, each client has its own session: the id of the session begins with the caller's
   * session id, and the session ends with the client's MCP session. Default `{ sessionId: 'mcp' }`.
   */
  readonly caller?: Caller | undefined;
  /** Default: the limits of the toolkit. */
  readonly limits?: { readonly [Name in keyof Limits['mcpServer']]?: number | undefined } | undefined;
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
  port: kindOf.port,
  host: kindOf.text,
  token: orFalse({
    takes: 'a text of at least 16 characters',
    holds: (value) => typeof value === 'string' && value.length >= 16,
  }),
  allowedHosts: kindOf.texts,
  allowedOrigins: kindOf.texts,
};

/**
 * Offers the tools of a toolkit, and the files of its roots as resources, to clients of the Model Context Protocol. All
 * permission rules apply. A permission question goes to the user of the client if the client supports elicitation, else
 * to `onAsk` of the toolkit. Without both, the call is denied. Rejects with a TypeError for invalid options, and with
 * another error if the server cannot listen on the port.
 */
export async function serveMcp(toolkit: Toolkit, options: ServeMcpOptions): Promise<McpServing> {
  assertOptions('serveMcp', { toolkit }, { toolkit: having('a toolkit', 'call', 'decide', 'definitions') });
  assertOptions('serveMcp', options, optionKinds);
  const { transport, caller = { sessionId: 'mcp' }, limits: overrides = {} } = options;
  if (transport === undefined) throw new TypeError("serveMcp: pass transport, 'stdio' or { port, token }");
  if (transport !== 'stdio') {
    assertOptions('serveMcp: transport', transport, httpKinds);
    if (transport.port === undefined || transport.token === undefined)
      throw new TypeError(
        'serveMcp: transport takes port and token; with token: false every program of this machine can connect',
      );
  }
  const { maxMessageBytes, ...rest } = resolveLimits({ mcpServer: overrides }, toolkit.limits).mcpServer;
  // The SDK accepts neither 0 nor Infinity.
  const limits = { ...rest, maxMessageBytes: Math.min(Math.max(maxMessageBytes, 1), Number.MAX_SAFE_INTEGER) };
  const parts = { sdk: await loadSdk(), toolkit, caller, limits };
  return await (transport === 'stdio' ? serveStdio(parts) : serveHttp(parts, transport));
}
