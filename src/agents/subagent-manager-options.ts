import type { Caller } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import type { Timers } from '../core/support/timers.js';
import type { SubagentRequest, SubagentSpawner } from '../ports/agents/subagents.js';
import type { SubagentEnd } from './subagent-end.js';
import type { OpenWorktree } from './worktree.js';

/** The parts of a subagent's background task. */
export interface SubagentTaskRun {
  readonly signal: AbortSignal;
  write(text: string): void;
  /** Called if it was cancelled before it began. */
  withdraw(): void;
}

/** Options of a {@link SubagentManager}. */
export interface SubagentManagerOptions {
  /** Undefined if the host passed none. */
  readonly spawner: () => SubagentSpawner | undefined;
  readonly limits: Limits['subagents'];
  /** The depth at which agents start no subagents. */
  readonly maxDepth: () => number;
  /** How long a stopped subagent may clean up, in milliseconds. */
  readonly graceMs: number;
  /** The background tasks that subagents run as. */
  readonly tasks: {
    start(label: string, run: (task: SubagentTaskRun) => Promise<{ failed: boolean }>, owner: Caller): string;
    stop(id: string): Promise<unknown>;
  };
  /** The definitions of a caller; the signal ends the wait for them. */
  readonly definitions: (
    caller: Caller,
    signal: AbortSignal,
  ) => SubagentRequest['tools'] | Promise<SubagentRequest['tools']>;
  readonly openWorktree: OpenWorktree;
  /** Called at each end of a background subagent. */
  readonly onEnd?: ((end: SubagentEnd) => void) | undefined;
  /** Called first at each end and awaited, to release what the subagent held. */
  readonly onGone?: ((caller: Caller) => unknown) | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}
