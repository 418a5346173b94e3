import { assertOptions } from '../core/support/check-values.js';
import { MemoryDocuments } from '../files/store/in-memory-documents.js';
import { createDeadLetters } from '../sessions/create-dead-letters.js';
import { createTaskBoard } from '../sessions/create-task-board.js';
import { createTodoStore } from '../sessions/create-todo-store.js';
import { memorySuspensions } from '../sessions/in-memory-suspensions.js';
import { memoryAudit } from './audit-logs.js';
import { customToolStore } from './custom-tool-store.js';
import { memoryDatabase } from './in-process-database.js';
import { type ManagedStores, type ManagedStoresOptions, storesKinds } from './managed-stores.js';
import { mcpGrantStore } from './mcp-grant-store.js';
import { settingsStore } from './settings-store.js';

/** The stores of {@link managedStores} in memory, for tests and for a single process that need not keep its state. */
export function memoryStores(options: ManagedStoresOptions = {}): ManagedStores {
  assertOptions('memoryStores', options, storesKinds);
  const database = memoryDatabase();
  const box = options.box ?? { seal: (text) => text, open: (text) => text };
  const stores: ManagedStores = {
    contextFiles: new MemoryDocuments(),
    memory: new MemoryDocuments(),
    customTools: customToolStore(database, box),
    mcp: mcpGrantStore(database, box),
    suspensions: memorySuspensions(),
    deadLetters: createDeadLetters(),
    todos: createTodoStore(),
    tasks: createTaskBoard(),
    config: settingsStore(database),
    audit: memoryAudit(),
    transaction: (run) => run(stores),
  };
  return stores;
}
