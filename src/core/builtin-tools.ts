/**
 * Facts about a tool, independent of its calls, that the mode acceptEdits, plan mode, loop guards and file claims
 * decide by. Plain data.
 */
export interface ToolTraits {
  /**
   * It only changes the files that its targets name: the mode acceptEdits may allow it, and the agent that uses it
   * claims them.
   */
  readonly edits?: boolean;
  /** It only runs the commands in its targets, so `Bash(…)` rules may allow it too. */
  readonly runs?: boolean;
  /** It undoes changes of one file, or of a whole session, whose files are known only when it runs. */
  readonly undoes?: 'file' | 'session';
  /** It ends plan mode; a person approves that in every permission mode. */
  readonly endsPlan?: boolean;
  /** It polls running work: repeating it is no loop while its metadata has `state: 'running'`. */
  readonly awaits?: boolean;
  /** The tools that it replaces: deny and ask rules for them apply to it too. */
  readonly inPlaceOf?: readonly string[];
}

/** What rules, policies and guards know of a built-in tool by its name alone. */
export interface BuiltinTool extends ToolTraits {
  /** Its other names, separated by blanks. */
  readonly aliases?: string;
  /** Its groups for policies, separated by blanks. */
  readonly groups?: string;
  /** The narrow policy profiles that include it, separated by blanks. */
  readonly profiles?: string;
  /** The input field that rules with a pattern match, and the value that a missing field counts as. */
  readonly acts?: { readonly on: ActsOn; readonly field: string; readonly missing?: string };
  /** Whether it is read-only and runs without a question unless a rule says otherwise. */
  readonly isAutoAllowed?: boolean;
  /** Whether deny rules with its name and a pattern also hide the matching files from searches. */
  readonly showsContent?: boolean;
  /** Whether only the main agent gets it: it talks to the user, or changes settings of the whole session. */
  readonly isForMainAgent?: boolean;
}

type ActsOn = 'read' | 'edit' | 'command' | 'url' | 'agent';

/**
 * The tools whose rules with a pattern apply to every tool that acts on the same kind of target: `Read(path)`,
 * `Edit(path)`, `Bash(command)`, `WebFetch(domain:…)`, `Agent(type)`.
 */
export const ruleNames = { read: 'Read', edit: 'Edit', command: 'Bash', url: 'WebFetch', agent: 'Agent' } as const;

/**
 * The facts about each built-in tool. They are kept apart from the tools because a rule, a policy or a request may have
 * only a name. A host's tool that replaces a built-in one is judged by the same row.
 */
export const builtinToolFacts: Readonly<Record<string, BuiltinTool>> = Object.freeze({
  Bash: { aliases: 'exec shell run_command', groups: 'runtime', acts: { on: 'command', field: 'command' } },
  Read: {
    ...{ aliases: 'FileRead read_file', groups: 'fs', acts: { on: 'read', field: 'file_path' } },
    ...{ isAutoAllowed: true, showsContent: true },
  },
  Write: { aliases: 'FileWrite write_file', groups: 'fs', acts: { on: 'edit', field: 'file_path' }, edits: true },
  Edit: {
    ...{ aliases: 'FileEdit edit_file str_replace', groups: 'fs', acts: { on: 'edit', field: 'file_path' } },
    edits: true,
  },
  ApplyPatch: { aliases: 'apply_patch', groups: 'fs', edits: true, inPlaceOf: ['Write'] },
  NotebookEdit: { groups: 'fs', acts: { on: 'edit', field: 'notebook_path' }, edits: true },
  Glob: {
    ...{ aliases: 'find_files', groups: 'fs', acts: { on: 'read', field: 'path', missing: '.' } },
    isAutoAllowed: true,
  },
  Grep: {
    ...{ aliases: 'search search_code search_files', groups: 'fs' },
    ...{ acts: { on: 'read', field: 'path', missing: '.' }, isAutoAllowed: true, showsContent: true },
  },
  List: { aliases: 'get_file_info list_files list ls', groups: 'fs', acts: { on: 'read', field: 'path' } },
  TaskOutput: { aliases: 'BashOutput', groups: 'runtime', awaits: true },
  TaskStop: { aliases: 'KillShell KillBash', groups: 'runtime' },
  TodoWrite: { aliases: 'todo_write todowrite', groups: 'planning' },
  TodoRead: { aliases: 'todo_read todoread', groups: 'planning' },
  TaskCreate: { aliases: 'task_create', groups: 'planning' },
  TaskGet: { aliases: 'task_get', groups: 'planning' },
  TaskUpdate: { aliases: 'task_update', groups: 'planning' },
  TaskList: { aliases: 'task_list', groups: 'planning' },
  EnterPlanMode: { groups: 'planning', isForMainAgent: true },
  ExitPlanMode: { groups: 'planning', isForMainAgent: true, endsPlan: true },
  WebFetch: { aliases: 'web_fetch webfetch', groups: 'web', acts: { on: 'url', field: 'url' } },
  WebSearch: { aliases: 'web_search', groups: 'web' },
  AskUserQuestion: { groups: 'planning', isForMainAgent: true },
  Config: { isForMainAgent: true },
  Agent: {
    ...{ aliases: 'Task task subagent spawn_agent sessions_spawn spawn', groups: 'sessions' },
    acts: { on: 'agent', field: 'subagent_type', missing: 'general-purpose' },
  },
  Subagents: { aliases: 'subagents', groups: 'sessions' },
  TeamCreate: { groups: 'sessions' },
  SendMessage: { groups: 'sessions messaging' },
  TeamDelete: { groups: 'sessions' },
  sessions_list: { groups: 'sessions', profiles: 'messaging' },
  sessions_history: { groups: 'sessions', profiles: 'messaging' },
  sessions_send: { groups: 'sessions', profiles: 'messaging', isForMainAgent: true },
  session_status: { groups: 'sessions', profiles: 'messaging minimal', isForMainAgent: true },
  ListMcpResources: { aliases: 'ListMcpResourcesTool', groups: 'mcp', isAutoAllowed: true },
  ReadMcpResource: { aliases: 'ReadMcpResourceTool', groups: 'mcp', isAutoAllowed: true },
  ToolSearch: { groups: 'mcp' },
  UndoFile: { aliases: 'undo_file', groups: 'fs', undoes: 'file' },
  UndoTurn: { aliases: 'undo_turn', groups: 'fs', undoes: 'session' },
  View: { groups: 'fs', acts: { on: 'read', field: 'path' }, inPlaceOf: ['List'] },
  RestartShell: { groups: 'runtime' },
} satisfies Record<string, BuiltinTool>);
