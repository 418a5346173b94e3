import { assertArgument, assertOptions, having, type OptionKinds } from '../core/support/option-kinds.js';
import { systemTimers, type Timers } from '../core/support/timers.js';
import type { AuditLog } from '../ports/audit-log.js';
import type { CustomToolStore } from '../ports/custom-tool-store.js';
import type { SharedDeadLetters } from '../ports/dead-letters.js';
import type { DocumentTable } from '../ports/file-store.js';
import type { McpGrantStore } from '../ports/mcp-grants.js';
import type { ConfigStore } from '../ports/planning/config-store.js';
import type { TaskBoard } from '../ports/planning/task-board.js';
import type { TodoStore } from '../ports/planning/todo-store.js';
import type { SqlClient } from '../ports/sql-client.js';
import type { SuspensionStore } from '../ports/suspension-store.js';
import type { SecretBox } from './aes-gcm-box.js';
import { customToolStore } from './custom-tool-store.js';
import { sqlDatabase } from './database.js';
import { mcpGrantStore } from './mcp-grants.js';
import { settingsStore } from './settings-store.js';
import { sqlAudit } from './sql-audit.js';
import { sqlDeadLetters } from './sql-dead-letters.js';
import { sqlContextFiles, sqlDocuments } from './sql-documents.js';
import { sqlSuspensions } from './sql-suspensions.js';
import { sqlTasks } from './sql-tasks.js';
import { sqlTodos } from './sql-todos.js';

/** The stores that an administrator changes. */
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

/** What an installation keeps, each of it in one place for all its processes. */
export interface ManagedStores extends AdministeredStores {
  /**
   * Has all that `run` changes by the stores that it gets take effect together, or nothing of it where `run` rejects; in
   * memory what was changed stays. Who puts another store in place of one puts another transaction in place as well.
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
  /** For `hosts.config`. Takes any setting: each user of an agent has settings of their own. */
  readonly config: ConfigStore;
}

/** What stores need beside the database. */
export interface ManagedStoresOptions {
  /** Seals secrets, such as the `env` of custom tools and MCP servers. Default none: what holds secrets is refused. */
  readonly box?: SecretBox | undefined;
}

export const storesKinds: OptionKinds<ManagedStoresOptions> = {
  box: having('a box such as aesGcmBox', 'seal', 'open'),
};

/**
 * Stores in the tables that `migrate` makes. Their methods reject with `storage_failed` where the database does. Throws
 * a TypeError for what is no client.
 */
export function managedStores(
  client: SqlClient,
  options: ManagedStoresOptions = {},
  timers: Timers = systemTimers,
): ManagedStores {
  const aClient = having('a SqlClient', 'query', 'transaction', 'listen');
  assertArgument('managedStores takes a SqlClient', client, aClient, 'managedStores(fromPg(pool))');
  assertOptions('managedStores', options, storesKinds);
  const { box } = options;
  return {
    ...administered(client, box),
    transaction: (run) =>
      client.transaction(({ query }) => {
        // A store that begins one takes part in this one.
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
