import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { type ChildOptions, ChildTransport } from './child-transport.js';
import { Connection, type ConnectionListener, type ConnectionOptions } from './connection.js';
import { statusOf } from './failures.js';
import { type HttpOptions, httpTransport } from './http-transport.js';
import { MessageRate } from './message-stream.js';
import { loadHttp, type McpTransport } from './sdk.js';

export interface OpenOptions
  extends Pick<ConnectionOptions, 'server' | 'launch' | 'timers' | 'answers'>,
    Pick<HttpOptions, 'authProvider' | 'onLogin' | 'onSecret'>,
    Pick<ChildOptions, 'owner' | 'run'> {
  readonly limits: Limits['mcp'];
  /** Called before a server program is started, and again when it has ended. */
  onChild(transport: ChildTransport, isOver: boolean): void;
}

/** Starts a program, or connects to an address by streamable HTTP, or by SSE if the server supports only SSE. */
export async function openConnection(
  options: OpenOptions,
  listener: ConnectionListener,
  signal: AbortSignal,
): Promise<Connection> {
  const { launch, limits, onChild } = options;
  const rate = new MessageRate();
  const connect = (transport: McpTransport) =>
    Connection.open({ ...options, ...listener, rate, transport }, limits.connectTimeoutMs, signal);
  if (launch.kind === 'stdio') {
    const transport = new ChildTransport({ ...options, ...limits, launch, rate });
    onChild(transport, false);
    const close = transport.close.bind(transport);
    transport.close = async () => {
      await close();
      onChild(transport, true);
    };
    return await connect(transport);
  }
  const http = { ...options, launch, rate, maxMessageBytes: limits.maxMessageBytes };
  const over = async (kind: 'http' | 'sse') => {
    const transport = await httpTransport(http, kind);
    const send = transport.send.bind(transport);
    // A login may become necessary in the middle of a session.
    transport.send = async (...sent) => {
      await send(...sent).catch(async (thrown: unknown) => {
        throw await loginFault(options, thrown);
      });
    };
    return await connect(transport).catch(async (thrown: unknown) => {
      throw await loginFault(options, thrown);
    });
  };
  if (launch.kind === 'sse') return await over('sse');
  return await over('http').catch(async (thrown: unknown) => {
    const status = statusOf(thrown) ?? 0;
    if (status < 400 || status > 499 || signal.aborted) throw thrown;
    return await over('sse').catch((second: unknown) => {
      throw ToolError.is(second) && second.code === 'not_configured' ? second : thrown;
    });
  });
}

/** Replaces an error about a missing login by an error that says how to log in. */
async function loginFault({ server, authProvider }: OpenOptions, thrown: unknown): Promise<unknown> {
  const { UnauthorizedError } = await loadHttp();
  if (authProvider === undefined) {
    if (statusOf(thrown) !== 401) return thrown;
    const message = 'The server requires a login (HTTP 401). Set authProvider or headers in its config.';
    return new ToolError('not_configured', message, { cause: thrown });
  }
  if (!(thrown instanceof UnauthorizedError)) return thrown;
  const message = `The server waits for the user to log in. After the login, call finishAuth(${JSON.stringify(server)}, code).`;
  return new ToolError('not_configured', message, { cause: thrown });
}
