import type { Caller } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import type { SubagentOutcome } from '../core/subagent.js';
import type { Timers } from '../core/support/timers.js';
import type { SubagentRequest, SubagentSpawner } from '../ports/agents/subagents.js';
import type { OpenWorktree } from './worktree.js';

/** The parameter of the function that runs a subagent as a background task. */
export interface SubagentTaskRun {
  readonly signal: AbortSignal;
  write(text: string): void;
  /** Called if the subagent was cancelled before it began. */
  withdraw(): void;
}

/** Options of a {@link SubagentManager}. */
export interface SubagentManagerOptions {
  /** Returns the spawner of the host; undefined if the host passed none. */
  readonly spawner: () => SubagentSpawner | undefined;
  readonly limits: Limits['subagents'];
  /** The depth from which agents must not start subagents. */
  readonly maxDepth: () => number;
  /** Time for a stopped subagent to clean up, in milliseconds. */
  readonly graceMs: number;
  /** The background tasks; each background subagent runs as one task. */
  readonly tasks: {
    start(label: string, run: (task: SubagentTaskRun) => Promise<{ failed: boolean }>, owner: Caller): string;
    stop(id: string): Promise<unknown>;
  };
  /** Returns the tool definitions for a caller; aborting the signal stops waiting. */
  readonly definitions: (
    caller: Caller,
    signal: AbortSignal,
  ) => SubagentRequest['tools'] | Promise<SubagentRequest['tools']>;
  readonly openWorktree: OpenWorktree;
  readonly onEnd?: ((end: SubagentEnd) => void) | undefined;
  /** Called when a subagent ends, and awaited before `onEnd`. Releases the subagent's resources. */
  readonly onGone?: ((caller: Caller) => unknown) | undefined;
  readonly timers?: Timers | undefined;
}

/** The end of a subagent that ran in the background. */
export interface SubagentEnd {
  readonly agentId: string;
  /** The agent that started the subagent; undefined for the main agent. */
  readonly parentId?: string | undefined;
  /** The parent as it was when it started the subagent. */
  readonly caller: Caller;
  readonly description: string;
  readonly state: SubagentOutcome['state'];
  /** The last answer of the subagent, or the reason why it gave no answer. */
  readonly output: string;
  readonly durationMs: number;
}
