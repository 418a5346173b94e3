import { setMaxListeners } from 'node:events';
import { ToolError } from '../core/error.js';
import type { McpServerState } from '../core/event.js';
import type { Limits } from '../core/limits.js';
import type { Timers } from '../core/support/timers.js';
import type { McpUpdate } from '../host/mcp-client.js';
import type { Connection, ConnectionListener, ListName, ServerRequest, ServerResult } from './connection/connection.js';
import { messageOf } from './connection/failures.js';
import { Health } from './connection/health.js';
import type { McpServerConfig } from './connection/server-config.js';
import type { WholeList } from './lists/list-pages.js';
import type { McpPrompt } from './lists/read-result.js';
import { ServerLists } from './lists/server-lists.js';
import type { ToolBook } from './lists/tool-book.js';
import { NamedTimers } from './named-timers.js';

/** What a server is supervised with. */
export interface SupervisedOptions {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly limits: Limits['mcp'];
  readonly timers: Timers;
  readonly book: ToolBook;
  /** Makes a connection; throws `not_configured` or `permission_denied` where trying again is of no use. */
  open(listener: ConnectionListener, signal: AbortSignal): Promise<Connection>;
  tell(update: McpUpdate): void;
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
  #closing: Promise<void> = Promise.resolve();
  readonly #lists: ServerLists;

  constructor(options: SupervisedOptions) {
    this.name = options.name;
    this.config = options.config;
    this.book = options.book;
    this.#options = options;
    this.#due = new NamedTimers(options.timers);
    this.#lists = new ServerLists(options);
  }

  get state(): McpServerState {
    return this.#state;
  }

  get error(): string | undefined {
    return this.#error;
  }

  /** How often in a row it was tried to bring it up again. */
  get attempts(): number {
    return this.#attempts;
  }

  get instructions(): string | undefined {
    return this.#connection?.instructions;
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

  /** Ends it for good, or until it is started again. Resolves when nothing of it is left. */
  async stop(state: 'stopped' | 'connecting' = 'stopped'): Promise<void> {
    this.#life.abort();
    this.#leave('It was stopped.');
    if (state === 'stopped') this.#enter('stopped');
    await this.#attempt;
    await this.#closing;
  }

  /** Rejects with `mcp_unavailable` where it is not there. */
  async request(request: Omit<ServerRequest, 'times'>): Promise<ServerResult> {
    const { inactivityMs, maxCallMs } = this.#options.limits;
    const times = { inactivityMs: this.config.timeoutMs || inactivityMs, maxCallMs };
    return await this.connected().request({ ...request, times });
  }

  /** All entries of one of its lists. */
  async list(method: string, key: string, signal: AbortSignal): Promise<WholeList> {
    return await this.#lists.all(this.connected(), method, key, signal);
  }

  /** Offers a changed tool again. */
  async approve(tool: string): Promise<void> {
    this.#enter(this.#state, await this.#lists.approve(tool));
  }

  /** Throws `mcp_unavailable` where it is not there. */
  connected(): Connection {
    if (this.#connection !== undefined) return this.#connection;
    const why = this.#error === undefined ? '.' : `: ${this.#error}`;
    const next = this.#state === 'reconnecting' || this.#state === 'connecting' ? ' Try again in a moment.' : '';
    throw new ToolError(
      'mcp_unavailable',
      `The MCP server ${JSON.stringify(this.name)} is ${this.#state}${why}${next}`,
    );
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
        this.#failed(new ToolError('mcp_unavailable', reason), signal);
      },
      onListChanged: (list) => {
        if (this.#connection === undefined) changed.add(list);
        else this.#onChanged(list);
      },
      onHeard: () => this.#health?.heard(),
    };
    const connection = await this.#options.open(listener, signal);
    try {
      const changes = await this.#lists.readTools(connection, signal);
      await this.#lists.readPrompts(connection, signal).catch(() => {});
      if (signal.aborted || isOver) throw new ToolError('mcp_unavailable', 'It ended right after its start.');
      this.#connection = connection;
      this.#isKnown = true;
      this.#error = undefined;
      this.#watch(connection);
      this.#enter('connected', changes);
      // What changed while it was read may have been read too early.
      for (const list of changed) this.#onChanged(list);
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
    this.#due.stop();
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
    // Anywhere up to the longest, so that many do not come back at the same moment.
    this.#due.start('reconnect', longestMs * this.#options.timers.random(), () => void this.#try(signal));
  }

  #onChanged(list: ListName): void {
    this.#due.start(list, this.#options.limits.listDebounceMs, () => void this.#relist(list));
  }

  /** The same list is read anew, and the old one stays where that fails. */
  async #relist(list: ListName): Promise<void> {
    const connection = this.#connection;
    const { signal } = this.#life;
    if (connection === undefined) return;
    try {
      const changes = list === 'tools' ? await this.#lists.readTools(connection, signal) : undefined;
      if (list === 'prompts') await this.#lists.readPrompts(connection, signal);
      if (changes === undefined || Object.keys(changes).length > 0) this.#enter(this.#state, changes);
    } catch {
      // Told by the connection where it has ended; else the next change tries again.
    }
  }

  #enter(state: McpServerState, changes: Partial<McpUpdate> = {}): void {
    this.#state = state;
    this.#options.tell({ server: this.name, state, ...changes });
  }
}
