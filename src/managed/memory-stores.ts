import type { CallScope } from '../core/context.js';
import { assertOptions } from '../core/support/option-kinds.js';
import { MemoryDocuments } from '../files/store/memory-documents.js';
import type { ConfigStore } from '../ports/planning/config-store.js';
import { createDeadLetters } from '../sessions/dead-letters/create-dead-letters.js';
import { createTaskBoard } from '../sessions/planning/create-task-board.js';
import { createTodoStore } from '../sessions/planning/create-todo-store.js';
import { InMemoryConfigStore } from '../sessions/planning/in-memory-config-store.js';
import { memorySuspensions } from '../sessions/suspensions/memory-suspensions.js';
import { type ManagedStores, type ManagedStoresOptions, storesKinds } from './managed-stores.js';
import { mcpGrantStore } from './mcp-grants.js';
import { memoryAudit } from './memory-audit.js';
import { memoryCustomTools } from './memory-custom-tools.js';
import { memoryMcpDatabase } from './memory-mcp-database.js';

/** The same stores in the memory of this process, for tests and for a single process whose state may end with it. */
export function memoryStores(options: ManagedStoresOptions = {}): ManagedStores {
  assertOptions('memoryStores', options, storesKinds);
  return {
    contextFiles: new MemoryDocuments(),
    memory: new MemoryDocuments(),
    customTools: memoryCustomTools(options.box),
    mcp: mcpGrantStore(memoryMcpDatabase(), options.box ?? { seal: (text) => text, open: (text) => text }),
    suspensions: memorySuspensions(),
    deadLetters: createDeadLetters(),
    todos: createTodoStore(),
    tasks: createTaskBoard(),
    config: memorySettings(),
    audit: memoryAudit(),
  };
}

/** Any setting, of each user of an agent, whatever the session. */
function memorySettings(): ConfigStore {
  const settings = new InMemoryConfigStore();
  const ofOwner = ({ caller: { agentId, userId }, signal }: CallScope): CallScope => ({
    caller: { sessionId: JSON.stringify([agentId ?? null, userId ?? null]) },
    signal,
  });
  return {
    takesAny: true,
    describe: () => [],
    get: (name, scope) => settings.get(name, ofOwner(scope)),
    set: (name, value, scope) => settings.set(name, value, ofOwner(scope)),
    reset: (name, scope) => settings.reset(name, ofOwner(scope)),
  };
}
