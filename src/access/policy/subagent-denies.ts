import { builtinsThat } from '../../core/tool-names.js';
import { builtinGroups } from '../rules/groups.js';

/**
 * What no subagent is offered by default: what speaks for the main agent to its user or to others, changes settings of
 * the whole session, or outlives the task. Some are tools that hosts may have under these names.
 */
export const subagentDenies: readonly string[] = Object.freeze([
  ...builtinsThat(({ isForMainAgent }) => isForMainAgent),
  ...['group:memory', 'group:automation', 'gateway', 'agents_list', 'whatsapp_login', 'cron'],
  ...['memory_search', 'memory_get'],
]);

/** What an agent at the deepest level is not offered by default: starting agents, and looking at sessions. */
export const leafDenies: readonly string[] = Object.freeze(['group:sessions']);

/** A member of a team talks to the others however deep it is. */
export const leafKept: readonly string[] = builtinGroups.messaging ?? [];
