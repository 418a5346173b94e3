import type { CallScope } from '../../core/context.js';
import type { DocumentTable, FileStore } from '../../ports/file-store.js';
import { agentOf, userOf } from '../../ports/owner-of-caller.js';
import { putIfExpected } from './context-store.js';

/** Called after a Markdown document was written, for instance to index it. Its errors do not undo the write. */
export type MemoryListener = (name: string, text: string, scope: CallScope) => Promise<void> | void;

/** True for `MEMORY.md`, `memory.md` and everything below `memory/`. */
export function isMemoryName(name: string): boolean {
  return name === 'MEMORY.md' || name === 'memory.md' || name === 'memory' || name.startsWith('memory/');
}

/** Keeps the memory of an agent: a user reads its own documents before the agent's, and changes only its own. */
export function memoryStore(table: DocumentTable, onWrite: MemoryListener = () => {}): FileStore {
  return {
    read: async (name, scope) => (await table.get(userOf(scope), name)) ?? table.get(agentOf(scope), name),
    async write(name, bytes, scope, { expected } = {}) {
      await putIfExpected({ table, owner: userOf(scope), name, bytes }, expected, () => this.read(name, scope));
      if (!name.endsWith('.md')) return;
      try {
        await onWrite(name, Buffer.from(bytes).toString('utf8'), scope);
      } catch {
        // The document is kept; a failed index can be rebuilt.
      }
    },
    remove: (name, scope) => table.delete(userOf(scope), name),
    names: async (scope) =>
      [...new Set([...(await table.names(userOf(scope))), ...(await table.names(agentOf(scope)))])].sort(),
  };
}
