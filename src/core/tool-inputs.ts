/**
 * The inputs of the built-in tools that most coding agents have, by tool name. A model sends these inputs, and
 * `toolkit.call` accepts them. The reference of the tools lists limits and defaults.
 */
export interface ToolInputs {
  Agent: {
    /** Three to five words. */
    description: string;
    /** The whole task: the subagent gets no other context. */
    prompt: string;
    subagent_type?: string | undefined;
    model?: string | undefined;
    /** The id of an ended subagent to continue. */
    resume?: string | undefined;
    run_in_background?: boolean | undefined;
    max_turns?: number | undefined;
    name?: string | undefined;
    team_name?: string | undefined;
    mode?: 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'bypassPermissions' | undefined;
    isolation?: 'worktree' | undefined;
  };
  AskUserQuestion: {
    questions: {
      question: string;
      /** At most 12 characters. */
      header: string;
      options: { label: string; description: string; preview?: string | undefined }[];
      multiSelect?: boolean | undefined;
    }[];
    answers?: Record<string, string> | undefined;
  };
  Bash: {
    command: string;
    /** Milliseconds. */
    timeout?: number | undefined;
    description?: string | undefined;
    run_in_background?: boolean | undefined;
    /** Only with the option `shell.interactive`. */
    interactive?: boolean | undefined;
    dangerouslyDisableSandbox?: boolean | undefined;
  };
  Config: { setting: string; value?: string | number | boolean | undefined };
  Edit: { file_path: string; old_string: string; new_string: string; replace_all?: boolean | undefined };
  ExitPlanMode: { plan?: string | undefined; allowedPrompts?: { tool: string; prompt: string }[] | undefined };
  Glob: { pattern: string; path?: string | undefined };
  Grep: {
    /** In the syntax of ripgrep. */
    pattern: string;
    path?: string | undefined;
    glob?: string | undefined;
    type?: string | undefined;
    output_mode?: 'files_with_matches' | 'content' | 'count' | undefined;
    '-A'?: number | undefined;
    '-B'?: number | undefined;
    '-C'?: number | undefined;
    context?: number | undefined;
    '-n'?: boolean | undefined;
    '-i'?: boolean | undefined;
    '-o'?: boolean | undefined;
    multiline?: boolean | undefined;
    /** 0 means no limit. */
    head_limit?: number | undefined;
    offset?: number | undefined;
  };
  ListMcpResources: { server?: string | undefined };
  NotebookEdit: {
    notebook_path: string;
    new_source: string;
    cell_id?: string | undefined;
    cell_type?: 'code' | 'markdown' | undefined;
    edit_mode?: 'replace' | 'insert' | 'delete' | undefined;
  };
  Read: {
    file_path: string;
    /** The first line, from 1. */
    offset?: number | undefined;
    /** A number of lines. */
    limit?: number | undefined;
    /** Pages of a PDF, such as `1-5`. */
    pages?: string | undefined;
    /** The first character within line `offset`, from 1. */
    column?: number | undefined;
  };
  ReadMcpResource: { server: string; uri: string };
  TaskOutput: { task_id: string; block?: boolean | undefined; timeout?: number | undefined };
  TaskStop: { task_id?: string | undefined; shell_id?: string | undefined };
  TodoWrite: {
    todos: { content: string; status: 'pending' | 'in_progress' | 'completed'; activeForm: string }[];
  };
  WebFetch: { url: string; prompt: string; offset?: number | undefined };
  WebSearch: {
    query: string;
    allowed_domains?: string[] | undefined;
    blocked_domains?: string[] | undefined;
  };
  Write: { file_path: string; content: string };
  /** The input of an MCP tool, as its server describes it. */
  [tool: `mcp__${string}__${string}`]: Record<string, unknown>;
}

/** The input that `toolkit.call` accepts: typed for a built-in tool, unknown for any other. */
export type InputOf<Name extends string> = Name extends keyof ToolInputs ? ToolInputs[Name] : unknown;
