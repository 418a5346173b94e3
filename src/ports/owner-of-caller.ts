import type { CallScope } from '../core/context.js';
import type { DocumentOwner } from './file-store.js';

/** The calling user of the calling agent, as an owner of documents. */
export function userOf({ caller }: CallScope): DocumentOwner {
  return { agentId: caller.agentId, userId: caller.userId };
}

/** The calling agent with all its users, as an owner of documents. */
export function agentOf({ caller }: CallScope): DocumentOwner {
  return { agentId: caller.agentId, userId: undefined };
}
