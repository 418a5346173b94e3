import type { Caller } from './context.js';
import type { ToolError } from './error.js';

/** How a subagent stands. What was rejected never was one, and what is archived is forgotten. */
export type SubagentState = 'spawning' | 'running' | 'completed' | 'failed' | 'cancelled';

/** What a subagent took; each is counted over its whole life. */
export interface SubagentUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly toolCalls: number;
  readonly turns: number;
}

/** What a subagent is wanted for. */
export interface SubagentTask {
  /** Three to five words, for people. */
  readonly description: string;
  readonly prompt: string;
  /** Default `general-purpose`; of one that goes on, what it was. */
  readonly type?: string | undefined;
  readonly model?: string | undefined;
  /** Default `limits.subagents.maxTurns`, which is also the most. */
  readonly maxTurns?: number | undefined;
  /** Unique among the running subagents of the session. */
  readonly name?: string | undefined;
  readonly teamName?: string | undefined;
  /** A permission mode laid over that of the parent; the stricter holds. */
  readonly mode?: string | undefined;
  /** `worktree`: it works in a git worktree of its own below the workspace. */
  readonly isolation?: 'worktree' | undefined;
  /** The id of a subagent that the same parent started and that has ended: it goes on, with `prompt` as its message. */
  readonly resume?: string | undefined;
}

/** What came of a subagent. */
export interface SubagentOutcome {
  readonly agentId: string;
  readonly state: Exclude<SubagentState, 'spawning' | 'running'>;
  /** Its last words; of one that did not complete, what it had said or why it ended. */
  readonly output: string;
  readonly usage: Partial<SubagentUsage>;
  readonly durationMs: number;
  /** Set unless it is completed. */
  readonly error?: ToolError | undefined;
  /** The folder of its git worktree, where it changed something there. */
  readonly worktree?: string | undefined;
}

/** A subagent that was accepted. */
export interface StartedSubagent {
  readonly id: string;
  /** Of its background task. */
  readonly taskId: string;
  /** Never rejects. */
  readonly done: Promise<SubagentOutcome>;
}

/** A subagent as it is listed. */
export interface SubagentView {
  readonly agentId: string;
  /** Undefined for those that the main agent started. */
  readonly parentId?: string | undefined;
  readonly sessionId: string;
  readonly description: string;
  readonly type: string;
  readonly name?: string | undefined;
  readonly teamName?: string | undefined;
  readonly state: SubagentState;
  /** 1 for those that the main agent started. */
  readonly depth: number;
  readonly turns: number;
  readonly durationMs: number;
  /** Of its background task, where it runs as one. */
  readonly taskId?: string | undefined;
}

/** What one agent tells another. */
export interface AgentMessage {
  /** The name of the sender: a member of the team, or `lead`. */
  readonly from: string;
  readonly text: string;
  readonly type: 'message' | 'broadcast' | 'shutdown_request' | 'shutdown_response';
  /** Ties a `shutdown_response` to its request. */
  readonly requestId?: string | undefined;
  /** Of a `shutdown_response`. */
  readonly approve?: boolean | undefined;
}

/** The subagents of a toolkit, for the program that runs it: `by` is the agent that has started them. */
export interface ToolkitSubagents {
  /**
   * Runs a subagent to its end. Default caller, of the agent that it is for: `{ sessionId: 'default' }`. Rejects with a
   * ToolError only where it is refused: `limit_reached`, `invalid_input`, `not_configured`.
   */
  run(
    task: SubagentTask,
    options?: { readonly caller?: Caller | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<SubagentOutcome>;
  /** Accepts a subagent at once and runs it as a background task. Throws what {@link run} rejects with. */
  spawn(task: SubagentTask, options?: { readonly caller?: Caller | undefined }): StartedSubagent;
  /** Those that are not forgotten yet, oldest first. Default: of all. */
  list(by?: Caller): readonly SubagentView[];
  /**
   * Ends one, all or the latest of those that run, each with all that it started, and answers their ids when they are
   * gone. Rejects with `invalid_input` for an id that there is not.
   */
  cancel(id: string, by?: Caller): Promise<readonly string[]>;
  /**
   * Ends what one is doing and has it go on with the message, with all that it knows. Rejects with `invalid_input` for
   * one that does not run.
   */
  steer(id: string, message: string, by?: Caller): Promise<void>;
  /**
   * Puts a message where a running one takes it before its next round. Throws `limit_reached` where that is full, and
   * `invalid_input` for one that does not run.
   */
  send(id: string, message: AgentMessage): void;
}
