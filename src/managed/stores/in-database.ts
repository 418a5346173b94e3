import { assertMethods, assertOptions, having, type OptionKinds } from '../../core/support/check-values.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import type { AuditLog } from '../../ports/audit-log.js';
import type { CustomToolStore } from '../../ports/custom-tool-store.js';
import type { SharedDeadLetters } from '../../ports/dead-letters.js';
import type { DocumentTable } from '../../ports/file-store.js';
import type { McpGrantStore } from '../../ports/mcp-grant-store.js';
import type { ConfigStore } from '../../ports/planning/config-store.js';
import type { TaskBoard } from '../../ports/planning/task-board.js';
import type { TodoStore } from '../../ports/planning/todo-store.js';
import type { SqlClient } from '../../ports/sql-client.js';
import type { SuspensionStore } from '../../ports/suspension-store.js';
import { customToolStore } from '../custom-tools/store.js';
import type { SecretBox } from '../database/secret-box.js';
import { sqlDatabase } from '../database/tables.js';
import { mcpGrantStore } from '../mcp/grant-store.js';
import { sqlAudit } from './audit-logs.js';
import { sqlDeadLetters } from './dead-letters.js';
import { sqlContextFiles, sqlDocuments } from './documents.js';
import { settingsStore } from './settings.js';
import { sqlSuspensions } from './suspensions.js';
import { sqlTasks, sqlTodos } from './todos-and-tasks.js';

/** The stores that administrators change. */
export interface AdministeredStores {
  /** For `contextStore`. */
  readonly contextFiles: DocumentTable;
  /** For `memoryStore`. */
  readonly memory: DocumentTable;
  readonly customTools: CustomToolStore;
  /** For `loadForAgent`. */
  readonly mcp: McpGrantStore;
  readonly audit: AuditLog;
}

/** The stores of an installation, shared by all its processes. */
export interface ManagedStores extends AdministeredStores {
  /**
   * Runs a transaction: the changes that `run` makes through the given stores are committed together, or rolled back if
   * `run` rejects. Memory stores do not roll back. If you replace one of these stores, replace `transaction` too.
   */
  transaction<Result>(run: (stores: AdministeredStores) => Promise<Result>): Promise<Result>;
  /** For `hosts.suspensions`. */
  readonly suspensions: SuspensionStore;
  /** For `deadLetters` of a toolkit. */
  readonly deadLetters: SharedDeadLetters;
  /** For `hosts.todos`. */
  readonly todos: TodoStore;
  /** For `hosts.tasks`. */
  readonly tasks: TaskBoard;
  /** For `hosts.config`. Accepts any setting; each user of an agent has separate settings. */
  readonly config: ConfigStore;
}

/** Options of {@link managedStores}. */
export interface ManagedStoresOptions {
  /**
   * Encrypts secrets, such as the `env` of custom tools and MCP servers. Default none: `managedStores` then refuses
   * secrets, and `memoryStores` keeps them unencrypted in memory.
   */
  readonly box?: SecretBox | undefined;
}

export const storesKinds: OptionKinds<ManagedStoresOptions> = {
  box: having('a box such as aesGcmBox', 'seal', 'open'),
};

/**
 * Stores in the tables that `migrate` creates. Their methods reject with `storage_failed` if the database fails. Throws
 * a TypeError for invalid arguments.
 */
export function managedStores(
  client: SqlClient,
  options: ManagedStoresOptions = {},
  timers: Timers = systemTimers,
): ManagedStores {
  const methods = ['query', 'transaction', 'listen'];
  assertMethods('managedStores takes a SqlClient', client, methods, 'managedStores(fromPg(pool))');
  assertOptions('managedStores', options, storesKinds);
  const { box } = options;
  return {
    ...administered(client, box),
    transaction: (run) =>
      client.transaction(({ query }) => {
        // A transaction of a store joins this transaction.
        const inner: SqlClient = { ...client, query, transaction: (change) => change({ query }) };
        return run(administered(inner, box));
      }),
    suspensions: sqlSuspensions(client, timers),
    deadLetters: sqlDeadLetters(client),
    todos: sqlTodos(client),
    tasks: sqlTasks(client),
    config: settingsStore(sqlDatabase(client)),
  };
}

function administered(client: SqlClient, box: SecretBox | undefined): AdministeredStores {
  const database = sqlDatabase(client);
  return {
    contextFiles: sqlContextFiles(client),
    memory: sqlDocuments(client, 'memory_documents'),
    customTools: customToolStore(database, box),
    mcp: mcpGrantStore(database, box),
    audit: sqlAudit(client),
  };
}
