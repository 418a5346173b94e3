import type { CallScope } from '../../core/context.js';
import type { DocumentOwner, DocumentTable, FileStore } from '../../host/file-store.js';

/** The files that tell an agent who it is and for whom it works. */
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
 * How an agent's context files are shared. `open`: each user has its own, and reads the agent's where it has none.
 * `predefined`: all users share the agent's, but for `USER.md`.
 */
export type AgentKind = 'open' | 'predefined';

/**
 * Keeps the context files by agent and user. An empty `BOOTSTRAP.md` is removed, because the first run is over then:
 * for that user where the agent's stays for others.
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
    async write(name, bytes, scope) {
      const owner = ownerOf(name, scope);
      // An empty one hides the agent's from this user.
      const isRemoved =
        isOver(name, bytes) && (owner.userId === undefined || (await table.get(agentOf(scope), name)) === undefined);
      if (isRemoved) await table.delete(owner, name);
      else await table.put(owner, name, bytes);
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

function isOver(name: string, bytes: Uint8Array): boolean {
  return name === 'BOOTSTRAP.md' && bytes.length === 0;
}

/** The user of an agent who asks. */
export function userOf({ caller }: CallScope): DocumentOwner {
  return { agentId: caller.agentId, userId: caller.userId };
}

/** The agent that asks, whoever its user is. */
export function agentOf({ caller }: CallScope): DocumentOwner {
  return { agentId: caller.agentId, userId: undefined };
}
