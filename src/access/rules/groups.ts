const fs = ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'List', 'NotebookEdit', 'ApplyPatch', 'View'];
const runtime = ['Bash', 'TaskOutput', 'TaskStop', 'RestartShell'];
const web = ['WebFetch', 'WebSearch'];
const sessions =
  'Agent Subagents TeamCreate SendMessage TeamDelete sessions_list sessions_history sessions_send session_status'.split(
    ' ',
  );
const planning =
  'TodoWrite TodoRead EnterPlanMode ExitPlanMode AskUserQuestion TaskCreate TaskGet TaskUpdate TaskList'.split(' ');
const mcp = ['ListMcpResources', 'ReadMcpResource'];
const native = [...fs, ...runtime, ...web, ...sessions, ...planning, ...mcp, 'Config'];

/**
 * The groups that every policy knows, with the built-in tools in them. Tools join further ones, or these, by declaring
 * them. `planning` is what stays inside the conversation, `native` (or `goclaw`) every built-in; `memory`, `ui` and `automation` are
 * for tools of the host.
 */
export const builtinGroups: Readonly<Record<string, readonly string[]>> = Object.freeze({
  fs,
  runtime,
  web,
  sessions,
  planning,
  messaging: ['SendMessage'],
  memory: [],
  ui: [],
  automation: [],
  mcp,
  native,
  goclaw: native,
});

/** What begins the group of one server, `mcp:{server}`: a group that may come and go while the policy stands. */
export const serverGroupPrefix = 'mcp:';
