import type { CallScope } from '../core/context.js';
import type { DocumentOwner } from './file-store.js';

/** The calling user of an agent. */
export function userOf({ caller }: CallScope): DocumentOwner {
  return { agentId: caller.agentId, userId: caller.userId };
}

/** The calling agent, for all its users. */
export function agentOf({ caller }: CallScope): DocumentOwner {
  return { agentId: caller.agentId, userId: undefined };
}
