import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import { withHandledRejection } from '../core/support/check-values.js';
import type { Timers } from '../core/support/timers.js';
import type { McpAnswers } from '../ports/mcp-client.js';
import { onHostExit } from '../shell/run/host-exit.js';
import { killMarked } from '../shell/run/kill-marked-processes.js';
import type { ChildTransport } from './connection/child-transport.js';
import type { Connection, ConnectionListener } from './connection/connection.js';
import { openConnection } from './connection/open.js';
import type { McpTransport } from './connection/sdk.js';
import { expandConfig, type McpLaunch, type McpServerConfig, secretsOf } from './connection/server-config.js';
import { type McpConsent, serverConsent } from './server-consent.js';

export interface ServerConnectionsOptions {
  readonly limits: Limits['mcp'];
  readonly timers: Timers;
  readonly consent: McpConsent | undefined;
  readonly answers: McpAnswers | undefined;
  /** Called when a server has a new secret to scrub. */
  onSecret(server: string): void;
}

/** Opens the connections of one manager, and kills the server programs when this process exits. */
export class ServerConnections {
  readonly #options: ServerConnectionsOptions;
  readonly #assertConsent: ReturnType<typeof serverConsent>;
  readonly #attached: McpAnswers[];
  readonly #children = new Set<ChildTransport>();
  readonly #logins = new Map<string, McpTransport>();
  readonly #owner = `mcp-${randomBytes(6).toString('hex')}`;
  readonly #secrets = new Set<string>();
  #unregister: (() => void) | undefined;
  #runs = 0;

  constructor(options: ServerConnectionsOptions) {
    this.#options = options;
    this.#assertConsent = serverConsent(options.consent);
    this.#attached = options.answers === undefined ? [] : [options.answers];
  }

  /** The secrets of all servers, for the scrubber. */
  get secrets(): readonly string[] {
    return [...this.#secrets];
  }

  /** Opens a connection. Throws `not_configured` or `permission_denied` if a retry would fail too. */
  async open(
    server: string,
    config: McpServerConfig,
    listener: ConnectionListener,
    signal: AbortSignal,
  ): Promise<Connection> {
    const launch = expandConfig(server, config);
    await this.#assertConsent(server, config, launch, signal);
    for (const secret of secretsOf(launch)) this.#secrets.add(secret);
    const { limits, timers } = this.#options;
    const own = { limits, timers, owner: this.#owner, run: ++this.#runs, answers: this.#handlersFor(config, launch) };
    return await openConnection(
      {
        ...{ ...own, server, launch, authProvider: config.authProvider },
        onChild: (child, isOver) => this.#onChild(child, isOver),
        onLogin: (transport) => {
          if (!signal.aborted) this.#logins.set(server, transport);
        },
        onSecret: (secret) => {
          if (this.#secrets.size < this.#secrets.add(secret).size) this.#options.onSecret(server);
        },
      },
      listener,
      signal,
    );
  }

  /**
   * Whether a handler was attached after the connection was opened, so that the server does not know the capability.
   */
  isOutdated({ answers, launch }: Connection, config: McpServerConfig): boolean {
    return Object.keys(this.#handlersFor(config, launch)).some((name) => !(name in answers));
  }

  /**
   * Attaches handlers; the returned function detaches them. A server learns of new handlers at its next connection. If
   * several toolkits attach a handler of the same kind, none of these handlers is used.
   */
  attach(answers: McpAnswers): () => void {
    this.#attached.push(answers);
    return () => {
      const at = this.#attached.indexOf(answers);
      if (at !== -1) this.#attached.splice(at, 1);
    };
  }

  /** Forgets the login that a removed server is waiting for. */
  forgetLogin(server: string): void {
    this.#logins.delete(server);
  }

  /** Exchanges the code of a finished login. Throws `not_configured` if the server is not waiting for a login. */
  async finishAuth(server: string, code: string): Promise<void> {
    const transport = this.#logins.get(server);
    if (transport?.finishAuth === undefined)
      throw new ToolError('not_configured', `The MCP server ${JSON.stringify(server)} is not waiting for a login.`);
    // Deleted before the exchange, because the server may ask for another login during the exchange.
    this.#logins.delete(server);
    await transport.finishAuth(code).catch((thrown: unknown) => {
      if (!this.#logins.has(server)) this.#logins.set(server, transport);
      throw thrown;
    });
  }

  /**
   * Handlers for a new connection. The client announces a capability for each handler that is attached now. Each later
   * request uses the handler that is attached when the request arrives.
   */
  #handlersFor(config: McpServerConfig, launch: McpLaunch): McpAnswers {
    const isAnswered = (name: keyof McpAnswers) => this.#attached.some((answers) => answers[name] !== undefined);
    const roots = rootsOf(
      config,
      launch,
      isAnswered('roots') ? () => withHandledRejection(this.#onlyHandler('roots')()) : undefined,
    );
    return {
      ...(isAnswered('sampling') && {
        sampling: { sample: (...asked) => this.#onlyHandler('sampling').sample(...asked) },
      }),
      ...(isAnswered('elicitation') && {
        elicitation: { elicit: (...asked) => this.#onlyHandler('elicitation').elicit(...asked) },
      }),
      ...(roots !== undefined && { roots }),
    };
  }

  /**
   * The handler of a kind from the options, or else the only attached handler. Throws if several toolkits have attached
   * one, since it is unclear which toolkit's user or folders the server asks for.
   */
  #onlyHandler<Name extends keyof McpAnswers>(name: Name): NonNullable<McpAnswers[Name]> {
    const own = this.#options.answers?.[name];
    const [answer, ...others] = this.#attached.flatMap((answers) => answers[name] ?? []);
    if (own !== undefined) return own;
    if (answer !== undefined && others.length === 0) return answer as NonNullable<McpAnswers[Name]>;
    const why =
      answer === undefined ? 'No toolkit handles this request any more.' : 'Several toolkits share this client.';
    throw new ToolError('not_configured', `${why} The program can pass answers.${name} to McpManager.`);
  }

  #onChild(child: ChildTransport, isOver: boolean): void {
    if (isOver) this.#children.delete(child);
    else this.#children.add(child);
    this.#unregister ??= onHostExit(() => {
      for (const one of this.#children) one.kill();
      // Processes that have left the group of their server are found by their environment.
      killMarked((owner) => owner === this.#owner);
    });
    if (this.#children.size > 0) return;
    this.#unregister();
    this.#unregister = undefined;
  }
}

/**
 * The folders that the client reports to a server as its roots. A list in the config is used unchanged. By default a
 * server whose arguments name folders gets no roots, because programs such as server-filesystem ignore the folders in
 * their arguments as soon as they get roots.
 */
function rootsOf(
  { roots }: McpServerConfig,
  launch: McpLaunch,
  ofToolkit: (() => readonly string[]) | undefined,
): (() => readonly string[]) | undefined {
  if (roots === false) return undefined;
  const namesFolder = launch.kind === 'stdio' && launch.args.some((arg) => mayNameFolder(arg, launch.cwd));
  if (roots === undefined && namesFolder) return undefined;
  return roots === undefined || roots === 'toolkit' ? ofToolkit : () => roots;
}

/**
 * Whether an argument, or the value of an option such as `--dir=x`, may be the path of a folder. Paths of existing
 * files, such as scripts, do not count.
 */
function mayNameFolder(arg: string, cwd: string): boolean {
  const path = /^-{1,2}[\w-]+=(.*)$/s.exec(arg)?.[1] ?? arg;
  if (path.startsWith('-') || path === '') return false;
  try {
    return statSync(resolve(cwd, path)).isDirectory();
  } catch {
    // The path may be a folder that does not exist yet, or the argument may not be a path at all.
    return isAbsolute(path) || /^(?:~|\.{1,2}(?:[\\/]|$))/.test(path);
  }
}
