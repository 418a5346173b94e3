/**
 * What no subagent is offered by default: what speaks for the main agent to its user, changes settings of the whole
 * session, or outlives the task.
 */
export const subagentDenies: readonly string[] = Object.freeze([
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'Config',
  'group:memory',
  'group:automation',
]);

/** What an agent at the deepest level is not offered by default: starting further agents and talking to them. */
export const leafDenies: readonly string[] = Object.freeze(['group:sessions']);
