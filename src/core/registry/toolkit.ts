import type { SuspendedRun, ToolCall, ToolCallResult, ToolRun } from '../call.js';
import type { Caller } from '../context.js';
import type { ToolEventListener } from '../event.js';
import type { Limits } from '../limits.js';
import type { Answers, CallDecision } from '../permission-question.js';
import type { ToolkitSubagents } from '../subagents.js';
import type { Todo } from '../todo.js';
import type { InputOf, ToolInputs } from '../tool-inputs.js';
import type { Leftover } from './leftover.js';
import type { RunnableRegistry } from './runnable-registry.js';
import type { ToolDefinitionJson } from './tool-definitions.js';
import type { LeftCommand, ToolkitTasks } from './toolkit-processes.js';

/** Who runs a turn, when to stop, who listens. */
export interface TurnOptions {
  /** Who calls. Default `{ sessionId: 'default' }`. */
  readonly caller?: Caller | undefined;
  /** Ends the turn when it aborts: what runs answers `interrupted`, the rest `cancelled`. Default: nothing does. */
  readonly signal?: AbortSignal | undefined;
  /** Hears the events of the turn. Default: nobody. */
  readonly onEvent?: ToolEventListener | undefined;
  /**
   * Time for each call of the turn, from where it starts to run, in milliseconds; 0 = no more than its own. The shorter
   * of this and the time that the tool or `limits.call.timeoutMs` gives it holds. Default 0.
   */
  readonly timeoutMs?: number | undefined;
}

/** A turn that may have been asked about before, or elsewhere. */
export interface ExecuteTurnOptions extends TurnOptions {
  /**
   * `suspend`: no person is waited for. What needs nobody runs; where questions are left, the turn answers them in place
   * of the results that wait, for {@link Toolkit.resume}. Default: questions go to `permissions.onAsk`.
   */
  readonly approvals?: 'suspend' | undefined;
  /**
   * What a framework has asked already, by call id, one of another turn being a TypeError: it holds for the input as the model made it, in place of `onAsk`,
   * and never against a deny. Default none.
   */
  readonly answers?: Answers | undefined;
}

/** One call by itself. */
export interface CallOptions extends Omit<ExecuteTurnOptions, 'approvals'> {
  /** The id that results, events and answers name it by. Default: a new one. */
  readonly id?: string | undefined;
}

/** A call that waits for its plan to be approved. */
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
  /** The session that started it. */
  readonly sessionId: string | undefined;
}

/** One change that a tool made to a file. */
export interface RecordedChange {
  /** Absolute and canonical. */
  readonly filePath: string;
  readonly operation: 'create' | 'update' | 'remove';
  /** Counts the turns of a session. */
  readonly turnNumber: number;
  readonly toolCallId: string | undefined;
  readonly sessionId: string;
  /**
   * Its text, scrubbed, put together when it is read; undefined where there was no file, no text, or somebody else has
   * changed the file since.
   */
  readonly contentBefore: Promise<string | undefined>;
  /** The same of what the change left. */
  readonly contentAfter: Promise<string | undefined>;
}

/** A whole file: its text, or its bytes in base64 where it is none. */
export interface FileContent {
  /** For instance `image/png`; `text/plain` for every text. */
  readonly mediaType: string;
  /** Scrubbed, without a byte order mark. */
  readonly text?: string;
  readonly data?: string;
}

/**
 * The files of all roots, for programs that offer them one by one. `list` and `read` are calls of Glob and Read: rules,
 * hooks, policy and limits hold. Both reject with a ToolError where such a call fails; with `not_configured` where the
 * host has put a tool of its own in the place of Glob or Read.
 */
export interface ToolkitFiles {
  /** The absolute canonical path of the workspace. */
  readonly root: string;
  /** Absolute paths in order, at most `limits.glob.maxListed`, without what ignore files and deny rules leave out. */
  list(options?: TurnOptions): Promise<readonly string[]>;
  /** A file of at most `limits.read.maxWholeBytes`. */
  read(path: string, options?: TurnOptions): Promise<FileContent>;
  /**
   * Makes a file of what a tool of your own has produced, and answers with its path. Never over another file: `a.png`
   * becomes `a-2.png`. Undo knows of it. It is no call: the tool names the file among its own `targets`, so that rules
   * hold. Rejects with a ToolError for a path outside the roots, and where 1,000 files have that name.
   */
  create(path: string, bytes: Uint8Array, options?: Pick<TurnOptions, 'caller' | 'signal'>): Promise<string>;
}

/** What ends with the sessions of a toolkit and with itself. What rejects makes {@link Toolkit.endSession} or `dispose` reject. */
export interface AttachedPart {
  /** Default: nothing ends with a session. */
  endSession?(sessionId: string): Promise<void> | void;
  /** Default: nothing ends with the toolkit. */
  dispose?(): Promise<void> | void;
}

/** Tools wired to their resources: what adapters and agent loops hold. */
export interface Toolkit extends AsyncDisposable {
  /** The tools, built-in ones and your own. */
  readonly registry: RunnableRegistry;
  /** The files of all roots, listed and read through Glob and Read. */
  readonly files: ToolkitFiles;
  /** Those that hold: the defaults with what the options changed. */
  readonly limits: Limits;
  /** A text without credentials, and without every value that the toolkit has recognised as one. Never throws. */
  readonly scrub: (text: string) => string;
  /**
   * Whether the permission rules let a page lead on to an address without a question: not where a rule denies its host
   * or wants it asked. Rules for `WebFetch` hold. Default caller: `{ sessionId: 'default' }`.
   */
  mayVisit(url: string, caller?: Caller): boolean;
  /**
   * Has something of your own end with the sessions and with the toolkit, which wait for it: a browser, a connection.
   * What is attached after {@link dispose} is disposed at once.
   */
  attach(part: AttachedPart): void;
  /**
   * The tools a caller is offered, ready for an adapter: without disabled ones, those the policy withholds, and, unless
   * `features.offerAll`, built-in ones whose host is missing.
   */
  definitions(caller?: Caller): ToolDefinitionJson[];
  /**
   * The same of the registry that the option `registryFor` gives the caller; of the one of the toolkit where that fails
   * or the signal aborts.
   */
  definitionsFor(caller?: Caller, signal?: AbortSignal): Promise<ToolDefinitionJson[]>;
  /**
   * Answers every call, in call order; never rejects for anything a model or a tool did. Throws a TypeError for calls
   * that no adapter has read.
   */
  execute(calls: readonly ToolCall[], options?: ExecuteTurnOptions & { approvals?: undefined }): Promise<ToolRun>;
  /** The same without waiting for a person. Rejects with a TypeError without `suspensionSecret`. */
  execute(calls: readonly ToolCall[], options: ExecuteTurnOptions): Promise<ToolRun | SuspendedRun>;
  /**
   * Goes on with a suspended turn, in this process or another one with the same options: what was allowed runs, what
   * was denied is refused, and what is not answered waits on. Each call runs once, however often a suspension is
   * resumed; a further resume gets the results that were kept. Everything is authorised again, by the rules as they are
   * now. Rejects with a TypeError, and runs nothing, for a suspension that was changed or has expired, and for an
   * answer to no question of it.
   */
  resume(suspension: string, answers: Answers, options?: TurnOptions): Promise<ToolRun | SuspendedRun>;
  /**
   * What would happen to a call as it is, for frameworks that ask by themselves. Runs and queues nothing; hooks, which
   * may change the call, are not heard. An answer to the question goes into `answers` of {@link execute} or {@link call}.
   */
  decide(call: ToolCall, options?: Pick<TurnOptions, 'caller' | 'signal'>): Promise<CallDecision>;
  /** Runs one call by itself, through the whole pipeline. The input of a built-in tool is checked by its type. */
  call<Name extends keyof ToolInputs | (string & {})>(
    name: Name,
    input: InputOf<Name>,
    options?: CallOptions,
  ): Promise<ToolCallResult>;
  /** What plan mode has queued for the session `default`. */
  readonly planQueue: readonly QueuedCall[];
  /** What plan mode has queued for the session of a caller. Default caller: `{ sessionId: 'default' }`. */
  planQueueOf(caller?: Caller): readonly QueuedCall[];
  /**
   * Leaves plan mode of the caller's session and runs what was queued there, through the whole pipeline. What never
   * started, because the run was aborted or a refusal ended it, stays in the queue.
   */
  runPlan(options?: TurnOptions): Promise<ToolRun>;
  /** Forgets what was queued for the session of a caller. */
  clearPlan(caller?: Caller): void;
  /** The todos of an agent, as TodoWrite left them. Default caller: `{ sessionId: 'default' }`. */
  todos(caller?: Caller): Promise<readonly Todo[]>;
  /**
   * A text for the system prompt, of at most 250 tokens: where the files are, how paths are written, how to edit, how to
   * run long commands and what is offered. Default caller: `{ sessionId: 'default' }`.
   */
  instructions(caller?: Caller): string;
  /**
   * The tools of MCP servers that a caller may use, for a system prompt: `name: description`, one line each, by name.
   * Default caller: `{ sessionId: 'default' }`.
   */
  mcpSummaries(caller?: Caller): string;
  /** The background tasks: commands, subagents. */
  readonly tasks: ToolkitTasks;
  /** The subagents that Agent has started, and those that the program starts itself. */
  readonly subagents: ToolkitSubagents;
  /**
   * A toolkit with the same options over another folder, such as a git worktree, that counts and ends the same
   * subagents. It ends with this one, or by its own {@link dispose}.
   */
  openIn(root: string): Toolkit;
  /**
   * What commands left running, of one session or of all, with the files their output goes to. It ends with its
   * session, at {@link dispose}, or when this process does.
   */
  leftovers(sessionId?: string): readonly Leftover[];
  /** The commands of a session that have answered and left something running. */
  leftCommands(sessionId: string): readonly LeftCommand[];
  /** The sessions that had a turn and were not ended. */
  sessions(): readonly string[];
  /**
   * Ends a session and forgets it: its turns (what runs answers `interrupted`, what waits or is asked `cancelled`),
   * tasks, processes, plan, "always" rules, what it read, counted and claimed, and its undo history unless that is kept
   * on disk. Resolves when all that is gone, with what its commands had left running. The id may be used again and
   * starts afresh; a turn of it that comes meanwhile waits. Rejects with an AggregateError where a part could not be
   * ended.
   */
  endSession(sessionId: string): Promise<readonly Leftover[]>;
  /**
   * The changes that tools of a session made to files and that can still be taken back, oldest first; none without
   * `features.undo`. Default caller: `{ sessionId: 'default' }`.
   */
  fileChanges(caller?: Caller): readonly RecordedChange[];
  /** Background tasks that have ended since the last call; the news stay until they are fetched here. */
  drainNotifications(): readonly TaskNews[];
  /**
   * Ends everything: turns that run (their calls settle as in {@link endSession}), tasks, processes, timers, private
   * files. Afterwards every call answers `cancelled`. Calling it again does nothing.
   */
  dispose(): Promise<void>;
}
