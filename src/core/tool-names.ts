/**
 * Other names under which models know the built-in tools. An alias counts only where no tool has that name itself, and
 * leads to a tool in one step.
 */
export const toolAliases: Readonly<Record<string, string>> = Object.freeze({
  FileRead: 'Read',
  read_file: 'Read',
  FileWrite: 'Write',
  write_file: 'Write',
  FileEdit: 'Edit',
  edit_file: 'Edit',
  str_replace: 'Edit',
  apply_patch: 'ApplyPatch',
  exec: 'Bash',
  shell: 'Bash',
  run_command: 'Bash',
  search: 'Grep',
  search_code: 'Grep',
  search_files: 'Grep',
  find_files: 'Glob',
  get_file_info: 'List',
  list_files: 'List',
  list: 'List',
  ls: 'List',
  undo_file: 'UndoFile',
  undo_turn: 'UndoTurn',
  web_fetch: 'WebFetch',
  webfetch: 'WebFetch',
  web_search: 'WebSearch',
  Task: 'Agent',
  task: 'Agent',
  subagent: 'Agent',
  spawn_agent: 'Agent',
  sessions_spawn: 'Agent',
  spawn: 'Agent',
  subagents: 'Subagents',
  todo_write: 'TodoWrite',
  todowrite: 'TodoWrite',
  todo_read: 'TodoRead',
  todoread: 'TodoRead',
  task_create: 'TaskCreate',
  task_get: 'TaskGet',
  task_update: 'TaskUpdate',
  task_list: 'TaskList',
  KillShell: 'TaskStop',
  KillBash: 'TaskStop',
  BashOutput: 'TaskOutput',
  ListMcpResourcesTool: 'ListMcpResources',
  ReadMcpResourceTool: 'ReadMcpResource',
});

const inBackground: ReadonlySet<string> = new Set(['sessions_spawn', 'spawn']);

/** Whether a name of Agent means that the agent runs in the background unless the call says otherwise. */
export function isBackgroundAlias(name: string | undefined): boolean {
  return name !== undefined && inBackground.has(name);
}

/** Where an MCP tool comes from, as the server names itself and its tool: what rules and groups go by, not its name. */
export interface McpOrigin {
  readonly server: string;
  readonly tool: string;
}

/** True for names of the form `mcp__{server}__{tool}`, in any letter case. */
export function isMcpName(name: string): boolean {
  return /^mcp__/i.test(name);
}

const autoAllowed: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'ListMcpResources', 'ReadMcpResource']);

/** True for the five built-in tools that only look and therefore run without asking. */
export function isAutoAllowedName(name: string): boolean {
  return autoAllowed.has(name);
}

/**
 * Every name that a tool of this library has in some configuration or version, so that a rule for one that is not there
 * is no slip.
 */
export const knownNames: readonly string[] = (
  'Bash Read Write Edit Glob Grep NotebookEdit TaskOutput TaskStop TodoWrite Config ExitPlanMode ' +
  'AskUserQuestion WebFetch WebSearch ' +
  'Agent ListMcpResources ReadMcpResource TeamCreate SendMessage TeamDelete UndoFile UndoTurn List TodoRead ' +
  'TaskCreate TaskGet ' +
  'TaskUpdate TaskList EnterPlanMode ToolSearch Subagents ApplyPatch View RestartShell sessions_list sessions_history ' +
  'sessions_send session_status'
).split(' ');

const builtinNames: ReadonlyMap<string, string> = new Map(
  [...knownNames.map((name) => [name, name] as const), ...Object.entries(toolAliases)].map(([alias, name]) => [
    alias.toLowerCase(),
    name,
  ]),
);

/** The built-in tool that a name means, by the usual aliases and in any letter case. */
export function builtinName(name: string): string | undefined {
  return builtinNames.get(name.toLowerCase());
}
