import type { SuspendedRun, ToolCall, ToolCallResult, ToolRun } from '../call.js';
import type { Caller } from '../context.js';
import type { Limits } from '../limits.js';
import type { Answers, Decision, PermissionQuestion } from '../permission-question.js';
import type { ToolkitSubagents } from '../subagent.js';
import type { Todo } from '../todo.js';
import type { InputOf, ToolInputs } from '../tool-inputs.js';
import type { RunnableRegistry } from './runnable-registry.js';
import type { ToolDefinitionJson } from './tool-definitions.js';
import type { LeftCommand, Leftover, ToolkitTasks } from './toolkit-processes.js';
import type { CallOptions, ExecuteTurnOptions, TurnOptions } from './turn-options.js';

/** A call that waits for the approval of its plan. */
export interface QueuedCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly title: string;
}

/** The end of a background task. */
export interface TaskNews {
  readonly taskId: string;
  readonly label: string;
  readonly state: 'running' | 'completed' | 'failed' | 'stopped';
  readonly exitCode: number | undefined;
  readonly outputFile: string | undefined;
  /** The session that started the task. */
  readonly sessionId: string | undefined;
}

/** One change that a tool made to a file. */
export interface RecordedChange {
  /** Absolute and canonical. */
  readonly filePath: string;
  readonly operation: 'create' | 'update' | 'remove';
  /** The number of the turn within its session. */
  readonly turnNumber: number;
  readonly toolCallId: string | undefined;
  readonly sessionId: string;
  /**
   * The scrubbed text before the change, restored when this property is read. Undefined if there was no file, for a
   * binary file, and after another program has changed the file.
   */
  readonly contentBefore: Promise<string | undefined>;
  /** The scrubbed text after the change; undefined as for `contentBefore`. */
  readonly contentAfter: Promise<string | undefined>;
}

/** A whole file: its text, or the bytes of a binary file in base64. */
export interface FileContent {
  /** For instance `image/png`; `text/plain` for every text. */
  readonly mediaType: string;
  /** Scrubbed, without a byte order mark. */
  readonly text?: string;
  readonly data?: string;
}

/**
 * The files of all roots, for programs that offer files one by one. `list` and `read` are calls of Glob and Read:
 * rules, hooks, policy and limits apply. Both methods reject with a ToolError if the call fails, and with
 * `not_configured` if the host has replaced Glob or Read.
 */
export interface ToolkitFiles {
  /** The absolute canonical path of the workspace. */
  readonly root: string;
  /** Absolute paths, sorted, at most `limits.glob.maxListed`. Leaves out ignored files and files under a deny rule. */
  list(options?: TurnOptions): Promise<readonly string[]>;
  /** A file of at most `limits.read.maxWholeBytes`. */
  read(path: string, options?: TurnOptions): Promise<FileContent>;
  /**
   * Writes a new file for a tool of your own and resolves with its path. Never overwrites a file: if `a.png` exists,
   * the new file is `a-2.png`. Undo records the new file. No rule is checked here: list the file in the `targets` of
   * your tool, so that rules apply. Rejects with a ToolError for a path outside the roots, and if 1,000 such names are
   * taken.
   */
  create(path: string, bytes: Uint8Array, options?: Pick<TurnOptions, 'caller' | 'signal'>): Promise<string>;
}

/**
 * A part of your own that ends with sessions or with the toolkit. If a method of the part rejects, {@link
 * Toolkit.endSession} or `dispose` rejects.
 */
export interface AttachedPart {
  /** Default: nothing ends with a session. */
  endSession?(sessionId: string): Promise<void> | void;
  /** Default: nothing ends with the toolkit. */
  dispose?(): Promise<void> | void;
}

/** Tools connected to their resources, for adapters and agent loops. */
export interface Toolkit extends AsyncDisposable {
  /** The tools, built-in ones and your own. */
  readonly registry: RunnableRegistry;
  /** The files of all roots, listed and read through Glob and Read. */
  readonly files: ToolkitFiles;
  /** The limits in effect: the defaults with the changes of the options. */
  readonly limits: Limits;
  /**
   * Replaces credentials in a text, including all values that the toolkit has recognised as credentials before. Never
   * throws.
   */
  readonly scrub: (text: string) => string;
  /**
   * Whether a page may navigate to an address without a question: false if a deny or ask rule for `WebFetch` matches
   * the host. Default caller: `{ sessionId: 'default' }`.
   */
  mayVisit(url: string, caller?: Caller): boolean;
  /**
   * Attaches a part of your own, such as a browser or a connection. Ending a session or the toolkit also ends the part,
   * and waits for its end. A part that is attached after {@link dispose} is disposed at once.
   */
  attach(part: AttachedPart): void;
  /**
   * The definitions of a caller's tools, for an adapter: without disabled tools, tools that the policy withholds, and
   * built-in tools whose host is missing (unless `features.offerAll` is set).
   */
  definitions(caller?: Caller): ToolDefinitionJson[];
  /**
   * The definitions as {@link definitions} gives them, from the registry that the option `registryFor` returns for the
   * caller. If `registryFor` fails or the signal aborts, the registry of the toolkit is used.
   */
  definitionsFor(caller?: Caller, signal?: AbortSignal): Promise<ToolDefinitionJson[]>;
  /**
   * Runs calls and returns one result for each, in call order; never rejects because of a model or a tool. Throws a
   * TypeError for calls that are not in the form of {@link ToolCall}, such as provider blocks.
   */
  execute(calls: readonly ToolCall[], options?: ExecuteTurnOptions & { approvals?: undefined }): Promise<ToolRun>;
  /** Runs calls without waiting for a person. Rejects with a TypeError if the toolkit has no `suspensionSecret`. */
  execute(calls: readonly ToolCall[], options: ExecuteTurnOptions): Promise<ToolRun | SuspendedRun>;
  /**
   * Continues a suspended turn, in this process or in another process with the same options. Allowed calls run, denied
   * calls are refused, and calls without an answer keep waiting. Each call runs once, however often its suspension is
   * resumed; a further resume returns the stored results. All calls are authorised again by the current rules. Rejects
   * with a TypeError and runs nothing for a changed or expired suspension, and for an answer to an unknown question.
   */
  resume(suspension: string, answers: Answers, options?: TurnOptions): Promise<ToolRun | SuspendedRun>;
  /**
   * Decides about a call without running it, for frameworks that ask by themselves. This method queues nothing and runs
   * no hooks, which could change the call. Pass the answer to the question in `answers` of {@link execute} or {@link
   * call}.
   */
  decide(call: ToolCall, options?: Pick<TurnOptions, 'caller' | 'signal'>): Promise<Decision<PermissionQuestion>>;
  /** Runs one call by itself, through the whole pipeline. TypeScript checks the input of a built-in tool. */
  call<Name extends keyof ToolInputs | (string & {})>(
    name: Name,
    input: InputOf<Name>,
    options?: CallOptions,
  ): Promise<ToolCallResult>;
  /** The calls that plan mode has queued for the session `default`. */
  readonly planQueue: readonly QueuedCall[];
  /** The calls that plan mode has queued for the session of a caller. Default caller: `{ sessionId: 'default' }`. */
  planQueueOf(caller?: Caller): readonly QueuedCall[];
  /**
   * Leaves plan mode in the caller's session and runs its queued calls through the whole pipeline. Calls that did not
   * start, because of an abort or a refusal that ended the run, stay queued.
   */
  runPlan(options?: TurnOptions): Promise<ToolRun>;
  /** Drops the queued calls of a caller's session. */
  clearPlan(caller?: Caller): void;
  /** The current todos of an agent. Default caller: `{ sessionId: 'default' }`. */
  todos(caller?: Caller): Promise<readonly Todo[]>;
  /**
   * A text of at most 250 tokens for the system prompt: the workspace, the form of paths, how to edit, how to run long
   * commands, and the optional tools. Default caller: `{ sessionId: 'default' }`.
   */
  instructions(caller?: Caller): string;
  /**
   * The tools of MCP servers that a caller may use, for a system prompt: one line `name: description` for each tool,
   * sorted by name. Default caller: `{ sessionId: 'default' }`.
   */
  mcpSummaries(caller?: Caller): string;
  /** The background tasks: commands and subagents. */
  readonly tasks: ToolkitTasks;
  /** The subagents of the tool Agent and of the program itself. */
  readonly subagents: ToolkitSubagents;
  /**
   * A toolkit with the same options over another folder, such as a git worktree. Both toolkits share subagents and
   * their limits. The new toolkit ends with this toolkit, or by its own {@link dispose}.
   */
  openIn(root: string): Toolkit;
  /**
   * The leftover processes of one session or of all, with the files of their output. Leftover processes end with their
   * session, at {@link dispose}, or with this process.
   */
  leftovers(sessionId?: string): readonly Leftover[];
  /** The commands of a session that have returned and left processes running. */
  leftCommands(sessionId: string): readonly LeftCommand[];
  /** The sessions that have had a turn and are not ended. */
  sessions(): readonly string[];
  /**
   * Ends a session with its turns, tasks, processes, plan, rules of `allow-always` answers, read records, counters and
   * claims. The undo history also ends, unless it is kept on disk. Running calls fail with `interrupted`, waiting calls
   * with `cancelled`. Resolves when all of these have ended. The result is the list of the leftover processes that were
   * ended. The id may be used again for a new session; a turn that starts meanwhile waits. Rejects with an
   * AggregateError if a part could not be ended.
   */
  endSession(sessionId: string): Promise<readonly Leftover[]>;
  /**
   * The file changes of a session's tools that can still be undone, oldest first; none without `features.undo`. Default
   * caller: `{ sessionId: 'default' }`.
   */
  fileChanges(caller?: Caller): readonly RecordedChange[];
  /** The background tasks that have ended since the last call of this method. */
  drainNotifications(): readonly TaskNews[];
  /**
   * Ends all turns (their calls settle as in {@link endSession}), tasks, processes and timers; deletes private files.
   * Afterwards every call fails with `cancelled`. Further calls of `dispose` do nothing.
   */
  dispose(): Promise<void>;
}
