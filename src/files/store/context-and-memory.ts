import type { CallScope } from '../../core/context.js';
import type {
  DocumentCondition,
  DocumentOwner,
  DocumentTable,
  FileStore,
  StoredDocument,
} from '../../ports/file-store.js';
import { agentOf, userOf } from '../../ports/owner-of-caller.js';
import { changedMeanwhile } from '../disk/replace-file.js';

/** The context files of an agent: its identity, its tools and its user. */
export const contextFileNames = [
  'SOUL.md',
  'IDENTITY.md',
  'AGENTS.md',
  'TOOLS.md',
  'HEARTBEAT.md',
  'USER.md',
  'BOOTSTRAP.md',
] as const;

/**
 * How an agent's context files are shared. `open`: each user has its own files, and reads the agent's file where its
 * own file is missing. `predefined`: all users share the agent's files, except `USER.md`.
 */
export type AgentKind = 'open' | 'predefined';

/**
 * Stores the context files by agent and user. An empty `BOOTSTRAP.md` means that the first run is over: writing it
 * removes the user's file, or hides the file of the agent from this user only.
 */
export function contextStore(table: DocumentTable, kindOf: (scope: CallScope) => AgentKind): FileStore {
  const ownerOf = (name: string, scope: CallScope): DocumentOwner =>
    kindOf(scope) === 'open' || name === 'USER.md' ? userOf(scope) : agentOf(scope);
  return {
    async read(name, scope) {
      const own = await table.get(ownerOf(name, scope), name);
      const found = own ?? (kindOf(scope) === 'open' ? await table.get(agentOf(scope), name) : undefined);
      return found !== undefined && isOver(name, found.bytes) ? undefined : found;
    },
    async write(name, bytes, scope, { expected } = {}) {
      const owner = ownerOf(name, scope);
      // An empty document hides the agent's document from this user.
      const isRemoved =
        isOver(name, bytes) && (owner.userId === undefined || (await table.get(agentOf(scope), name)) === undefined);
      const document = { table, owner, name, bytes: isRemoved ? undefined : bytes };
      await putIfExpected(document, expected, () => this.read(name, scope));
    },
    remove: (name, scope) => table.delete(ownerOf(name, scope), name),
    async names(scope) {
      const found = await Promise.all(
        contextFileNames.map(async (name) => ((await this.read(name, scope)) === undefined ? [] : [name])),
      );
      return found.flat();
    },
  };
}

/** Called after a Markdown document was written, for instance to index it. Its errors do not undo the write. */
export type MemoryListener = (name: string, text: string, scope: CallScope) => Promise<void> | void;

/** True for `MEMORY.md`, `memory.md` and everything below `memory/`. */
export function isMemoryName(name: string): boolean {
  return name === 'MEMORY.md' || name === 'memory.md' || name === 'memory' || name.startsWith('memory/');
}

/** Stores the memory of an agent: a user reads its own documents before the agent's, and changes only its own. */
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

/** A document to write. */
interface DocumentWrite {
  readonly table: DocumentTable;
  readonly owner: DocumentOwner;
  readonly name: string;
  /** Undefined removes the document. */
  readonly bytes: Uint8Array | undefined;
}

/** Writes or removes a document. Throws `file_changed` if `read` now returns another version than `expected`. */
async function putIfExpected(
  { table, owner, name, bytes }: DocumentWrite,
  expected: DocumentCondition['expected'],
  read: () => Promise<StoredDocument | undefined>,
): Promise<void> {
  // The owner's document is read first, so that a change after this read is noticed.
  const own = expected === undefined ? undefined : await table.get(owner, name);
  if (expected !== undefined && ((await read())?.version ?? null) !== expected) throw changedMeanwhile(name);
  if (bytes === undefined) await table.delete(owner, name, { expected: own?.version });
  else await table.put(owner, name, bytes, expected === undefined ? {} : { expected: own?.version ?? null });
}

function isOver(name: string, bytes: Uint8Array): boolean {
  return name === 'BOOTSTRAP.md' && bytes.length === 0;
}
