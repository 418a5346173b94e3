import type { Caller } from '../core/context.js';
import type { ToolError } from '../core/error.js';
import type { AgentMessage, SubagentUsage } from '../host/agents/subagents.js';
import type { SubagentEnd, SubagentState } from './subagent-end.js';

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
  readonly state: SubagentEnd['state'];
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

/** What teams need of the manager. */
export interface SubagentStarter {
  /** Accepts at once and runs in the background. Throws a ToolError for what is refused. */
  start(task: SubagentTask, parent: Caller): StartedSubagent;
  /** Ends it with all that it started, and resolves when that is gone. Of one that has ended, does nothing. */
  cancel(id: string): Promise<unknown>;
  /** Puts a message where the subagent takes it before its next round. Throws `limit_reached` where that is full. */
  deliver(id: string, message: AgentMessage): void;
  /** Undefined for one that never was or is forgotten. */
  view(id: string): SubagentView | undefined;
}
