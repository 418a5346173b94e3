import { setMaxListeners } from 'node:events';
import { ToolError } from '../core/error.js';
import type { McpServerState } from '../core/event.js';
import type { McpUpdate } from '../ports/mcp-client.js';
import { ChangedLists } from './changed-lists.js';
import type { Connection, ConnectionListener, ListName, ServerRequest, ServerResult } from './connection/connection.js';
import { isUndelivered, messageOf, notConnected } from './connection/failures.js';
import { Health } from './connection/health.js';
import type { McpServerConfig } from './connection/server-config.js';
import type { WholeList } from './lists/list-pages.js';
import type { McpPrompt } from './lists/read-result.js';
import { ServerLists, type ServerListsOptions } from './lists/server-lists.js';
import type { ToolBook } from './lists/tool-book.js';
import { NamedTimers } from './named-timers.js';

/** What a server is supervised with. */
export interface SupervisedOptions extends ServerListsOptions {
  readonly config: McpServerConfig;
  /** Makes a connection; throws `not_configured` or `permission_denied` where trying again is of no use. */
  open(listener: ConnectionListener, signal: AbortSignal): Promise<Connection>;
  /** Whether somebody answers by now what the server was told that nobody does. */
  isOutdated(connection: Connection): boolean;
  tell(update: McpUpdate): void;
}

/** How a request is sent. */
export interface RequestTerms {
  /** Whether it does no harm twice. Default true. */
  readonly mayRepeat?: boolean;
  /** Throws, before each time that it is sent, where it must not be. */
  readonly assert?: () => void;
}

/** One server: brought up, watched, and brought up again until it is stopped or given up. */
export class SupervisedServer {
  readonly name: string;
  readonly config: McpServerConfig;
  /** What it offers. */
  readonly book: ToolBook;
  readonly #options: SupervisedOptions;
  readonly #due: NamedTimers<ListName | 'stable' | 'reconnect'>;
  #state: McpServerState = 'stopped';
  #error: string | undefined;
  #attempts = 0;
  #isKnown = false;
  #connection: Connection | undefined;
  #health: Health | undefined;
  #life = new AbortController();
  #attempt: Promise<void> = Promise.resolve();
  #renewal: Promise<void> = Promise.resolve();
  #closing: Promise<void> = Promise.resolve();
  readonly #lists: ServerLists;
  readonly #changed: ChangedLists;
  #instructions: string | undefined;

  constructor(options: SupervisedOptions) {
    this.name = options.name;
    this.config = options.config;
    this.book = options.book;
    this.#options = options;
    this.#due = new NamedTimers(options.timers);
    this.#lists = new ServerLists(options);
    this.#changed = new ChangedLists({
      pause: (list, work) => {
        if (this.#connection !== undefined) this.#due.start(list, options.limits.listDebounceMs, work);
      },
      read: (list) => this.#relist(list),
    });
  }

  get state(): McpServerState {
    return this.#state;
  }

  get error(): string | undefined {
    return this.#error;
  }

  /** In a row, to bring it up again. */
  get attempts(): number {
    return this.#attempts;
  }

  /** The folders that it is told as its roots. */
  get roots(): readonly string[] {
    try {
      return this.#connection?.answers.roots?.() ?? [];
    } catch {
      // Several toolkits share the manager, and a server that asks is refused.
      return [];
    }
  }

  get instructions(): string | undefined {
    return this.#instructions;
  }

  /** Whether what it has can be offered: it is there, or was and may soon be again. */
  get isOffered(): boolean {
    return this.#isKnown && ['connected', 'reconnecting', 'connecting'].includes(this.#state);
  }

  /** As it last listed them. */
  get prompts(): readonly McpPrompt[] {
    return this.#lists.prompts;
  }

  /** Whether it is there and has said that it has this. */
  has(list: ListName): boolean {
    return this.#connection?.has(list) === true;
  }

  /** Brings it up. Resolves when that has succeeded or failed once; what follows is told by updates. */
  async start(): Promise<void> {
    if (this.config.enabled === false) {
      this.#enter('disabled');
      return;
    }
    this.#life.abort();
    const life = new AbortController();
    setMaxListeners(0, life.signal);
    this.#life = life;
    this.#attempts = 0;
    this.#error = undefined;
    this.#enter('connecting');
    await this.#try(life.signal);
  }

  /** Resolves when it is there, or has failed, where that is being tried. */
  async attempted(): Promise<void> {
    await this.#attempt;
  }

  /** Ends it for good, or until it is started again. Resolves when nothing of it is left. */
  async stop(state: 'stopped' | 'connecting' = 'stopped'): Promise<void> {
    this.#life.abort();
    this.#leave('It was stopped.');
    if (state === 'stopped') this.#enter('stopped');
    await this.#attempt;
    await this.#closing;
  }

  /**
   * Rejects with `mcp_unavailable` where it is not there. What is lost with its connection is sent once more to the next
   * one where it did nothing yet, or may be done twice.
   */
  async request(
    request: Omit<ServerRequest, 'times'>,
    { mayRepeat = true, assert = () => {} }: RequestTerms = {},
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
      // Sooner than it would come back by itself, unless it falls again and again.
      if (this.#attempts === 1 && this.#due.stop('reconnect')) this.#renewal = this.#try(this.#life.signal);
      await this.#renewal;
      if (this.#connection === undefined || request.scope.signal.aborted) throw thrown;
      return await send(this.#connection);
    }
  }

  /** All entries of one of its lists. */
  async list(method: string, key: string, signal: AbortSignal): Promise<WholeList> {
    return await this.#lists.all(await this.ready(), method, key, signal);
  }

  /** Offers a changed tool again. */
  async approve(tool: string): Promise<void> {
    this.#enter(this.#state, await this.#lists.approve(tool));
  }

  /** Connects anew, once nothing runs, where the server should hear who answers it by now. Requests wait meanwhile. */
  renew(): void {
    const connection = this.#connection;
    if (connection?.isIdle !== true || !this.#options.isOutdated(connection)) return;
    this.#leave('It is connected anew.');
    this.#renewal = this.#try(this.#life.signal);
  }

  /** Rejects with `mcp_unavailable` where it is not there. */
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
    // What the last one left behind may hold what the next one needs.
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
        else this.#changed.changed(list);
      },
      onHeard: () => this.#health?.heard(),
      onIdle: () => this.renew(),
    };
    const connection = await this.#options.open(listener, signal);
    try {
      const changes = await this.#lists.readTools(connection, signal);
      await this.#lists.readPrompts(connection, signal).catch(() => {});
      if (signal.aborted || isOver) throw new Error('It ended right after its start.');
      this.#connection = connection;
      this.#instructions = connection.instructions;
      this.#isKnown = true;
      this.#error = undefined;
      this.#watch(connection);
      this.#enter('connected', changes);
      // What changed while it was read may have been read too early.
      for (const list of changed) this.#changed.changed(list);
      this.renew();
    } catch (thrown) {
      await connection.close();
      throw thrown;
    }
  }

  #watch(connection: Connection): void {
    const { timers, limits } = this.#options;
    this.#due.start('stable', limits.stableMs, () => {
      this.#attempts = 0;
    });
    this.#health = new Health({
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
    this.#error = messageOf(thrown);
    const code = ToolError.is(thrown) ? thrown.code : undefined;
    const isUseless = code === 'not_configured' || this.#attempts >= maxReconnects;
    if (isUseless || code === 'permission_denied') {
      this.#enter(isUseless ? 'failed' : 'disabled');
      return;
    }
    const longestMs = Math.min(reconnectMaxMs, reconnectMinMs * 2 ** this.#attempts);
    this.#attempts++;
    this.#enter('reconnecting');
    // Up to a tenth less, so that many do not come back at the same moment.
    const pauseMs = longestMs - (longestMs / 10) * (1 - this.#options.timers.random());
    this.#due.start('reconnect', pauseMs, () => void this.#try(signal));
  }

  /** The same list is read anew, and the old one stays where that fails: the connection tells of its end itself. */
  async #relist(list: ListName): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    const changes = await this.#lists.relist(list, connection, this.#life.signal);
    if (changes === undefined || Object.keys(changes).length > 0) this.#enter(this.#state, changes);
  }

  #enter(state: McpServerState, changes: Partial<McpUpdate> = {}): void {
    this.#state = state;
    this.#options.tell({ server: this.name, state, ...changes });
  }
}
