/**
 * Facts that hold for every call of a tool, as plain data. The mode acceptEdits, plan mode, loop guards and file claims
 * use these facts to decide.
 */
export interface ToolTraits {
  /**
   * The tool changes only the files in its targets. The mode acceptEdits may allow its calls, and the calling agent
   * claims those files.
   */
  readonly edits?: boolean;
  /** The tool only runs the commands in its targets, so `Bash(…)` rules may allow its calls too. */
  readonly runs?: boolean;
  /**
   * The tool undoes the changes of one file or of a whole session. The files of a session are known only when the tool
   * runs.
   */
  readonly undoes?: 'file' | 'session';
  /** The tool ends plan mode, which a person must approve in every permission mode. */
  readonly endsPlan?: boolean;
  /**
   * The tool polls running work: repeated calls do not count as a loop while the result metadata has `state:
   * 'running'`.
   */
  readonly awaits?: boolean;
  /** The tools that this tool replaces: deny and ask rules for those tools apply to this tool too. */
  readonly inPlaceOf?: readonly string[];
}

/** Facts about a built-in tool that rules, policies and guards look up by the name of the tool. */
export interface BuiltinTool extends ToolTraits {
  /** The aliases of the tool, separated by spaces. */
  readonly aliases?: string;
  /** The groups of the tool for policies, separated by spaces. */
  readonly groups?: string;
  /** The narrow policy profiles that include the tool, separated by spaces. */
  readonly profiles?: string;
  /** The kind of target that a call acts on, the input field with the target, and the default of that field. */
  readonly acts?: { readonly on: ActsOn; readonly field: string; readonly missing?: string };
  /** Whether the tool is read-only and runs without a question unless a rule says otherwise. */
  readonly isAutoAllowed?: boolean;
  /** Whether the tool shows file content. If so, its deny rules with a path pattern also hide files from searches. */
  readonly showsContent?: boolean;
  /**
   * Whether only the main agent gets the tool, because the tool talks to the user or changes settings of the whole
   * session.
   */
  readonly isForMainAgent?: boolean;
}

type ActsOn = 'read' | 'edit' | 'command' | 'url' | 'agent';

/**
 * For each kind of target, the tool name in rules for such targets: `Read(path)`, `Edit(path)`, `Bash(command)`,
 * `WebFetch(domain:…)`, `Agent(type)`. These rules apply to every tool that acts on a target of this kind.
 */
export const ruleNames = { read: 'Read', edit: 'Edit', command: 'Bash', url: 'WebFetch', agent: 'Agent' } as const;

/**
 * The facts about each built-in tool. The facts are kept apart from the tools because a rule, a policy or a request may
 * contain only the name of a tool. A host's tool that replaces a built-in tool gets the same facts; `traits` of its own
 * replace the traits in this table.
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
