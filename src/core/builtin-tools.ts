/**
 * What others have to know of a tool beside what its calls say: the mode acceptEdits, plan mode, guards against loops
 * and for files. Plain data.
 */
export interface ToolTraits {
  /**
   * It changes the files that its targets name and does nothing else, so that the mode acceptEdits may let it run, and
   * an agent that uses it holds them.
   */
  readonly edits?: boolean;
  /** All it does is to run the commands that its targets are, so that `Bash(…)` rules may allow it too. */
  readonly runs?: boolean;
  /** It takes back changes of a file, or of all that the agents of a session did, which names no file before it runs. */
  readonly undoes?: 'file' | 'session';
  /** It ends plan mode, which somebody approves whatever the mode of permissions. */
  readonly endsPlan?: boolean;
  /** It looks at work that goes on: while its metadata says `state: 'running'`, calling it again is no loop. */
  readonly awaits?: boolean;
  /** The tools in whose place it works: what denies them, or asks before them, means it too. */
  readonly inPlaceOf?: readonly string[];
}

/** What a built-in tool states of itself, as far as rules, policies and guards ask it of a name alone. */
export interface BuiltinTool extends ToolTraits {
  /** Its other names, with a blank between two. */
  readonly aliases?: string;
  /** Its groups for policies, with a blank between two. */
  readonly groups?: string;
  /** The narrow profiles of policies that it is in, with a blank between two. */
  readonly profiles?: string;
  /** The field of its input that rules with a pattern are compared with, and what stands for one that is left out. */
  readonly acts?: { readonly on: ActsOn; readonly field: string; readonly missing?: string };
  /** Whether it only looks, and so runs without asking unless a rule says otherwise. */
  readonly isAutoAllowed?: boolean;
  /** Whether rules with its name and a pattern speak of content, which is kept from searches then. */
  readonly showsContent?: boolean;
  /** Whether it is for the main agent: it speaks to the user, or changes settings of the whole session. */
  readonly isForMainAgent?: boolean;
}

type ActsOn = 'read' | 'edit' | 'command' | 'url' | 'agent';

/**
 * The tool whose rules with a pattern speak of what any tool acts on: `Read(path)`, `Edit(path)`, `Bash(command)`,
 * `WebFetch(domain:…)`, `Agent(type)`.
 */
export const ruleNames = { read: 'Read', edit: 'Edit', command: 'Bash', url: 'WebFetch', agent: 'Agent' } as const;

/**
 * What the built-in tools state of themselves. It stands apart from the tools, because a rule, a policy or a request may
 * have nothing but a name; a tool of the host that takes the place of one is judged like it.
 */
export const builtinTools: Readonly<Record<string, BuiltinTool>> = Object.freeze({
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
