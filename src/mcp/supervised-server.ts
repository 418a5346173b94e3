import { setMaxListeners } from 'node:events';
import { ToolError } from '../core/error.js';
import type { McpServerState } from '../core/event.js';
import type { McpUpdate } from '../ports/mcp-client.js';
import type { Connection, ConnectionListener, ListName, ServerRequest, ServerResult } from './connection/connection.js';
import { isUndelivered, messageOf, notConnected } from './connection/failures.js';
import type { McpServerConfig } from './connection/server-config.js';
import { type Health, watchHealth } from './connection/watch-health.js';
import type { WholeList } from './lists/pages.js';
import type { McpPrompt } from './lists/read-server-result.js';
import { onListChanges, ServerLists, type ServerListsOptions } from './lists/server-lists.js';
import type { ServerTools } from './lists/server-tools.js';
import { NamedTimers } from './named-timers.js';

export interface SupervisedOptions extends ServerListsOptions {
  readonly config: McpServerConfig;
  /** Opens a connection; throws `not_configured` or `permission_denied` if a retry would fail too. */
  open(listener: ConnectionListener, signal: AbortSignal): Promise<Connection>;
  /** Whether a handler was attached after this connection had announced its capabilities to the server. */
  isOutdated(connection: Connection): boolean;
  tell(update: McpUpdate): void;
}

export interface RequestPolicy {
  /** Whether the request may be sent twice. Default true. */
  readonly mayRepeat?: boolean;
  /** Called before each sending; throws if the request must not be sent. */
  readonly assert?: () => void;
}

/** Starts and watches one server, and reconnects until the server is stopped or has failed permanently. */
export class SupervisedServer {
  readonly name: string;
  readonly config: McpServerConfig;
  /** The tools of the server. */
  readonly offer: ServerTools;
  state: McpServerState = 'stopped';
  error: string | undefined;
  /** The number of consecutive attempts to reconnect. */
  attempts = 0;
  instructions: string | undefined;
  readonly #options: SupervisedOptions;
  readonly #due: NamedTimers<ListName | 'stable' | 'reconnect'>;
  #isKnown = false;
  #connection: Connection | undefined;
  #health: Health | undefined;
  #life = new AbortController();
  /** The latest attempt to connect. Each attempt waits for the one before, so two connections never open at once. */
  #attempt: Promise<void> = Promise.resolve();
  /** The latest attempt that {@link renew} or a request has started. Requests wait only for this attempt. */
  #renewal: Promise<void> = Promise.resolve();
  /** The end of the previous connection; the next attempt waits for it. */
  #closing: Promise<void> = Promise.resolve();
  readonly #lists: ServerLists;
  readonly #changed: (list: ListName) => void;

  constructor(options: SupervisedOptions) {
    this.name = options.name;
    this.config = options.config;
    this.offer = options.offer;
    this.#options = options;
    this.#due = new NamedTimers(options.timers);
    this.#lists = new ServerLists(options);
    this.#changed = onListChanges(
      (list, work) => {
        if (this.#connection !== undefined) this.#due.start(list, options.limits.listDebounceMs, work);
      },
      (list) => this.#relist(list),
    );
  }

  /** The roots that the client reports to the server. */
  get roots(): readonly string[] {
    try {
      return this.#connection?.answers.roots?.() ?? [];
    } catch {
      // The handler throws if several toolkits share the manager. Then a server that asks for its roots gets an error.
      return [];
    }
  }

  /**
   * Whether the tools of the server are offered: while it is connected, and while it reconnects after an earlier
   * connection.
   */
  get isOffered(): boolean {
    return this.#isKnown && ['connected', 'reconnecting', 'connecting'].includes(this.state);
  }

  /** The prompts that the server last listed. */
  get prompts(): readonly McpPrompt[] {
    return this.#lists.prompts;
  }

  /** Whether the server is connected and has declared this capability. */
  has(list: ListName): boolean {
    return this.#connection?.has(list) === true;
  }

  /** Starts the server. Resolves after the first success or failure; later changes are reported as updates. */
  async start(): Promise<void> {
    if (this.config.enabled === false) return void this.#enter('disabled');
    this.#life.abort();
    const life = new AbortController();
    setMaxListeners(0, life.signal);
    this.#life = life;
    this.attempts = 0;
    this.error = undefined;
    this.#enter('connecting');
    await this.#try(life.signal);
  }

  /** Resolves after the current attempt to connect. */
  async attempted(): Promise<void> {
    await this.#attempt;
  }

  /** Stops the server. Resolves when all its processes have ended. */
  async stop(state: 'stopped' | 'connecting' = 'stopped'): Promise<void> {
    this.#life.abort();
    this.#leave('It was stopped.');
    if (state === 'stopped') this.#enter(state);
    else this.state = state;
    await this.#attempt;
    await this.#closing;
  }

  /**
   * Sends a request. Rejects with `mcp_unavailable` if the server is not connected. If the connection ends, the request
   * is sent once more over the next connection, unless it may have had an effect and must not be repeated.
   */
  async request(
    request: Omit<ServerRequest, 'times'>,
    { mayRepeat = true, assert = () => {} }: RequestPolicy = {},
  ): Promise<ServerResult> {
    const { inactivityMs, maxCallMs } = this.#options.limits;
    const times = { inactivityMs: this.config.timeoutMs || inactivityMs, maxCallMs };
    const connection = await this.ready();
    const send = (over: Connection) => {
      assert();
      return over.request({ ...request, times });
    };
    try {
      return await send(connection);
    } catch (thrown) {
      const isLost = this.#connection !== connection && ToolError.is(thrown) && thrown.code === 'mcp_unavailable';
      if (!isLost || !(mayRepeat || isUndelivered(thrown))) throw thrown;
      // Reconnects immediately, unless several attempts in a row have failed.
      if (this.attempts === 1 && this.#due.stop('reconnect')) this.#renewal = this.#try(this.#life.signal);
      await this.#renewal;
      if (this.#connection === undefined || request.scope.signal.aborted) throw thrown;
      return await send(this.#connection);
    }
  }

  /** Reads all entries of one list of the server. */
  async list(method: string, key: string, signal: AbortSignal): Promise<WholeList> {
    return await this.#lists.all(await this.ready(), method, key, signal);
  }

  /** Offers a changed tool again. */
  async approve(tool: string): Promise<void> {
    const changes = await this.#lists.approve(tool);
    this.#enter(this.state, changes);
  }

  /**
   * Reconnects if new handlers were attached and the connection is idle, so that the server learns the capabilities.
   * Requests wait for the new connection.
   */
  renew(): void {
    const connection = this.#connection;
    if (connection?.isIdle !== true || !this.#options.isOutdated(connection)) return;
    this.#leave('It is being reconnected.');
    this.#renewal = this.#try(this.#life.signal);
  }

  /** Resolves with the connection. Rejects with `mcp_unavailable` if the server is not connected. */
  async ready(): Promise<Connection> {
    await this.#renewal;
    if (this.#connection !== undefined) return this.#connection;
    throw notConnected(this);
  }

  #try(signal: AbortSignal): Promise<void> {
    this.#attempt = this.#attempt
      .then(() => this.#connect(signal))
      .catch((thrown: unknown) => this.#failed(thrown, signal));
    return this.#attempt;
  }

  async #connect(signal: AbortSignal): Promise<void> {
    // The previous connection may still hold a resource, such as a port.
    await this.#closing;
    if (signal.aborted) return;
    let isOver = false;
    const changed = new Set<ListName>();
    const listener: ConnectionListener = {
      onEnd: (reason) => {
        isOver = true;
        if (this.#connection === undefined || this.#connection !== connection) return;
        this.#leave(reason);
        this.#failed(new Error(reason), signal);
      },
      onListChanged: (list) => {
        if (this.#connection === undefined) changed.add(list);
        else this.#changed(list);
      },
      onMessage: () => this.#health?.markAlive(),
      onIdle: () => this.renew(),
    };
    const connection = await this.#options.open(listener, signal);
    try {
      const changes = await this.#lists.readTools(connection, signal);
      await this.#lists.readPrompts(connection, signal).catch(() => {});
      if (signal.aborted || isOver) throw new Error('It ended right after its start.');
      this.#connection = connection;
      this.instructions = connection.instructions;
      this.#isKnown = true;
      this.error = undefined;
      this.#watch(connection);
      this.#enter('connected', changes);
      // A list that changed while it was read is read again.
      for (const list of changed) this.#changed(list);
      this.renew();
    } catch (thrown) {
      await connection.close();
      throw thrown;
    }
  }

  #watch(connection: Connection): void {
    const { timers, limits } = this.#options;
    this.#due.start('stable', limits.stableMs, () => {
      this.attempts = 0;
    });
    this.#health = watchHealth({
      timers,
      pingMs: limits.pingMs,
      ping: () => connection.ping(),
      onDead: () => connection.end('It does not answer any more.'),
    });
  }

  #leave(reason: string): void {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#health?.stop();
    this.#due.stopAll();
    if (connection !== undefined) this.#closing = connection.close(reason);
  }

  #failed(thrown: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    const { reconnectMinMs, reconnectMaxMs, maxReconnects } = this.#options.limits;
    this.error = messageOf(thrown);
    const code = ToolError.is(thrown) ? thrown.code : undefined;
    const isUseless = code === 'not_configured' || this.attempts >= maxReconnects;
    if (isUseless || code === 'permission_denied') return void this.#enter(isUseless ? 'failed' : 'disabled');
    const longestMs = Math.min(reconnectMaxMs, reconnectMinMs * 2 ** this.attempts);
    this.attempts++;
    this.#enter('reconnecting');
    // Jitter of up to a tenth, so that servers do not reconnect at the same moment.
    const pauseMs = longestMs - (longestMs / 10) * (1 - this.#options.timers.random());
    this.#due.start('reconnect', pauseMs, () => void this.#try(signal));
  }

  /** Reads a list again. If that fails, the old list stays. */
  async #relist(list: ListName): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    const { signal } = this.#life;
    if (list === 'prompts') await this.#lists.readPrompts(connection, signal);
    const changes = list === 'tools' ? await this.#lists.readTools(connection, signal) : undefined;
    if (changes === undefined || Object.keys(changes).length > 0) this.#enter(this.state, changes);
  }

  #enter(state: McpServerState, changes: Partial<McpUpdate> = {}): void {
    this.state = state;
    this.#options.tell({ server: this.name, state, ...changes });
  }
}
