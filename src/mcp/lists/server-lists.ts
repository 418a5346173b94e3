import type { Limits } from '../../core/limits.js';
import { inTurn } from '../../core/support/serial-queue.js';
import type { Timers } from '../../core/support/timers.js';
import type { Connection, ListName } from '../connection/connection.js';
import { listPages, type WholeList } from './pages.js';
import { type McpPrompt, readPrompt } from './read-server-result.js';
import type { ServerTools, ToolChanges } from './server-tools.js';

/** The name and the tools of the server, and the limits for its lists. */
export interface ServerListsOptions {
  readonly name: string;
  readonly limits: Limits['mcp'];
  readonly timers: Timers;
  readonly offer: ServerTools;
}

/** The lists of one server. If a list cannot be read, the previous list stays. */
export class ServerLists {
  prompts: readonly McpPrompt[] = [];
  readonly #options: ServerListsOptions;
  /** Reads lists of tools one after the other, so that an older list never replaces a newer one. */
  readonly #inTurn = inTurn();

  constructor(options: ServerListsOptions) {
    this.#options = options;
  }

  readTools(connection: Connection, signal: AbortSignal): Promise<ToolChanges> {
    const { offer } = this.#options;
    return this.#inTurn(async () =>
      offer.adopt(connection.has('tools') ? await this.all(connection, 'tools/list', 'tools', signal) : { items: [] }),
    );
  }

  async readPrompts(connection: Connection, signal: AbortSignal): Promise<void> {
    const has = connection.has('prompts');
    const { items } = has ? await this.all(connection, 'prompts/list', 'prompts', signal) : { items: [] };
    this.prompts = items.flatMap((entry) => readPrompt(this.#options.name, entry));
  }

  approve(tool: string): Promise<ToolChanges> {
    return this.#inTurn(() => this.#options.offer.approve(tool));
  }

  /** All entries of a list, page by page. */
  all(connection: Connection, method: string, key: string, signal: AbortSignal): Promise<WholeList> {
    const { timers, limits } = this.#options;
    const { connectTimeoutMs, maxToolsPerServer, maxPages, maxMessageBytes } = limits;
    const dueAt = timers.now() + connectTimeoutMs;
    const page = (cursor: unknown) => {
      // All pages share one time limit: otherwise a server with endless pages would never become connected.
      const times = { inactivityMs: connectTimeoutMs, maxCallMs: Math.max(1, dueAt - timers.now()) };
      return connection.request({ method, params: cursor === undefined ? {} : { cursor }, times, scope: { signal } });
    };
    return listPages(key, page, { maxItems: maxToolsPerServer, maxPages, maxChars: maxMessageBytes });
  }
}

/**
 * Returns a function to call when the server has reported that a list has changed. After a short pause (debounce) the
 * list is read again. If the list changes during this reading, it is read once more afterwards.
 *
 * @param pause Runs `work` after a pause, unless a run for this list is pending.
 * @param read Reads a list again; its rejection is ignored.
 */
export function onListChanges(
  pause: (list: ListName, work: () => void) => void,
  read: (list: ListName) => Promise<void>,
): (list: ListName) => void {
  /** The lists that are being read, each with whether it has changed since the read started. */
  const reading = new Map<ListName, boolean>();
  const changed = (list: ListName): void => {
    if (reading.has(list)) reading.set(list, true);
    else pause(list, () => void reread(list));
  };
  const reread = async (list: ListName): Promise<void> => {
    reading.set(list, false);
    await read(list).catch(() => {});
    const isChanged = reading.get(list) === true;
    reading.delete(list);
    if (isChanged) changed(list);
  };
  return changed;
}
