import type { Caller } from './context.js';
import type { ToolError } from './error.js';

/** The state of a subagent. A rejected subagent has no state, and an archived subagent is forgotten. */
export type SubagentState = 'spawning' | 'running' | 'completed' | 'failed' | 'cancelled';

/** Usage of a subagent over its whole life. */
export interface SubagentUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly toolCalls: number;
  readonly turns: number;
}

/** The task of a subagent. */
export interface SubagentTask {
  /** Three to five words, for people. */
  readonly description: string;
  readonly prompt: string;
  /** Default `general-purpose`; for a resumed subagent, its earlier type. */
  readonly type?: string | undefined;
  readonly model?: string | undefined;
  /** Default `limits.subagents.maxTurns`, which is also the maximum. */
  readonly maxTurns?: number | undefined;
  /** Unique among the running subagents of the session. */
  readonly name?: string | undefined;
  readonly teamName?: string | undefined;
  /** A permission mode in addition to the mode of the parent; the stricter mode applies. */
  readonly mode?: string | undefined;
  /** `worktree`: the subagent works in a git worktree of its own below the workspace. */
  readonly isolation?: 'worktree' | undefined;
  /** The id of an ended subagent of the same parent. That subagent continues, with `prompt` as its next message. */
  readonly resume?: string | undefined;
}

/** The outcome of a subagent. */
export interface SubagentOutcome {
  readonly agentId: string;
  readonly state: Exclude<SubagentState, 'spawning' | 'running'>;
  /** The last answer of the subagent. If the subagent did not complete: its latest text, or the reason why it ended. */
  readonly output: string;
  readonly usage: Partial<SubagentUsage>;
  readonly durationMs: number;
  /** Set unless the state is `completed`. */
  readonly error?: ToolError | undefined;
  /** The folder of the subagent's git worktree, if the subagent changed something there. */
  readonly worktree?: string | undefined;
}

/** A subagent that was accepted. */
export interface StartedSubagent {
  readonly id: string;
  /** The id of its background task. */
  readonly taskId: string;
  /** Never rejects. */
  readonly done: Promise<SubagentOutcome>;
}

/** A subagent in a list. */
export interface SubagentView {
  readonly agentId: string;
  /** Undefined for a subagent of the main agent. */
  readonly parentId?: string | undefined;
  readonly sessionId: string;
  readonly description: string;
  readonly type: string;
  readonly name?: string | undefined;
  readonly teamName?: string | undefined;
  readonly state: SubagentState;
  /** 1 for a subagent of the main agent. */
  readonly depth: number;
  readonly turns: number;
  readonly durationMs: number;
  /** Milliseconds since its end; undefined while it runs. */
  readonly endedMs?: number | undefined;
  /** The id of its background task, if any. */
  readonly taskId?: string | undefined;
}

/** A message from one agent to another. */
export interface AgentMessage {
  /** The name of the sender: a member of the team, or `lead`. */
  readonly from: string;
  readonly text: string;
  readonly type: 'message' | 'broadcast' | 'shutdown_request' | 'shutdown_response';
  /** Ties a `shutdown_response` to its request. */
  readonly requestId?: string | undefined;
  /** The answer in a `shutdown_response`. */
  readonly approve?: boolean | undefined;
}

/**
 * The subagents of a toolkit, for the program that runs it. `by` limits a method to the subagents that the agent `by`
 * has started.
 */
export interface ToolkitSubagents {
  /**
   * Runs a subagent to its end. `caller` is its parent, by default `{ sessionId: 'default' }`. Rejects with a ToolError
   * only if the subagent is refused: `limit_reached`, `invalid_input`, `not_configured`.
   */
  run(
    task: SubagentTask,
    options?: { readonly caller?: Caller | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<SubagentOutcome>;
  /** Accepts a subagent at once and runs it as a background task. Throws what {@link run} rejects with. */
  spawn(task: SubagentTask, options?: { readonly caller?: Caller | undefined }): StartedSubagent;
  /** The subagents that are not archived yet, oldest first. Default: the subagents of all agents. */
  list(by?: Caller): readonly SubagentView[];
  /**
   * Ends the running subagent with this id; `all` ends all running subagents, and `last` the latest. The subagents of
   * an ended subagent end too. Resolves with the ids of all these subagents when they have ended. Rejects with
   * `invalid_input` for an unknown id.
   */
  cancel(id: string, by?: Caller): Promise<readonly string[]>;
  /**
   * Interrupts a subagent, which continues with the message and its whole history. Rejects with `invalid_input` for a
   * subagent that does not run.
   */
  steer(id: string, message: string, by?: Caller): Promise<void>;
  /**
   * Queues a message that a running subagent reads before its next round. Throws `limit_reached` for a full queue, and
   * `invalid_input` for a subagent that does not run.
   */
  send(id: string, message: AgentMessage): void;
}
