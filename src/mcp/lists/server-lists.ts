import type { Limits } from '../../core/limits.js';
import type { Timers } from '../../core/support/timers.js';
import type { Connection, ListName } from '../connection/connection.js';
import { listPages, type WholeList } from './list-pages.js';
import { type McpPrompt, readPrompt } from './read-result.js';
import type { ToolBook, ToolChanges } from './tool-book.js';

/** Whose lists, and what bounds them. */
export interface ServerListsOptions {
  readonly name: string;
  readonly limits: Limits['mcp'];
  readonly timers: Timers;
  readonly book: ToolBook;
}

/** The lists of one server, as they were last read. Where reading one fails, the old one stays. */
export class ServerLists {
  readonly #options: ServerListsOptions;
  #prompts: readonly McpPrompt[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ServerListsOptions) {
    this.#options = options;
  }

  get prompts(): readonly McpPrompt[] {
    return this.#prompts;
  }

  readTools(connection: Connection, signal: AbortSignal): Promise<ToolChanges> {
    const { book } = this.#options;
    return this.#inTurn(async () =>
      book.adopt(connection.has('tools') ? await this.all(connection, 'tools/list', 'tools', signal) : { items: [] }),
    );
  }

  async readPrompts(connection: Connection, signal: AbortSignal): Promise<void> {
    const has = connection.has('prompts');
    const { items } = has ? await this.all(connection, 'prompts/list', 'prompts', signal) : { items: [] };
    this.#prompts = items.flatMap((entry) => readPrompt(this.#options.name, entry));
  }

  /** Reads a list that has changed; undefined where what changed is not kept here. */
  async relist(list: ListName, connection: Connection, signal: AbortSignal): Promise<ToolChanges | undefined> {
    if (list === 'tools') return await this.readTools(connection, signal);
    if (list === 'prompts') await this.readPrompts(connection, signal);
    return undefined;
  }

  approve(tool: string): Promise<ToolChanges> {
    return this.#inTurn(() => this.#options.book.approve(tool));
  }

  /** All entries of a list, page by page. */
  all(connection: Connection, method: string, key: string, signal: AbortSignal): Promise<WholeList> {
    const { timers, limits } = this.#options;
    const { connectTimeoutMs, maxToolsPerServer, maxPages, maxMessageBytes } = limits;
    const dueAt = timers.now() + connectTimeoutMs;
    const page = (cursor: string | undefined) => {
      // All pages together, or a server that has one more each time would never be there.
      const times = { inactivityMs: connectTimeoutMs, maxCallMs: Math.max(1, dueAt - timers.now()) };
      return connection.request({ method, params: cursor === undefined ? {} : { cursor }, times, scope: { signal } });
    };
    return listPages(key, page, { maxItems: maxToolsPerServer, maxPages, maxChars: maxMessageBytes });
  }

  /** One after the other, so that an older list never takes the place of a newer one. */
  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }
}
