import type { Caller } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import type { Timers } from '../core/support/timers.js';
import type { SubagentRequest, SubagentSpawner } from '../ports/agents/subagents.js';
import type { SubagentEnd } from './subagent-end.js';
import type { OpenWorktree } from './worktree.js';

/** What a background task of a subagent is given. */
export interface SubagentTaskRun {
  readonly signal: AbortSignal;
  write(text: string): void;
  /** Says that it never began. */
  withdraw(): void;
}

/** What a {@link SubagentManager} works with. */
export interface SubagentManagerOptions {
  /** Undefined where the host passed none. */
  readonly spawner: () => SubagentSpawner | undefined;
  readonly limits: Limits['subagents'];
  /** The depth at which agents start none. */
  readonly maxDepth: () => number;
  /** How long one that was stopped may clean up before it is given up. Milliseconds. */
  readonly graceMs: number;
  /** Where subagents in the background are tasks. */
  readonly tasks: {
    start(label: string, run: (task: SubagentTaskRun) => Promise<{ failed: boolean }>, owner: Caller): string;
    stop(id: string): Promise<unknown>;
  };
  /** What a caller is offered; not waited for any more when the signal aborts. */
  readonly definitions: (
    caller: Caller,
    signal: AbortSignal,
  ) => SubagentRequest['tools'] | Promise<SubagentRequest['tools']>;
  readonly openWorktree: OpenWorktree;
  /** Told of each end of one that ran in the background. */
  readonly onEnd?: ((end: SubagentEnd) => void) | undefined;
  /** Told of each end, before anybody else, and waited for: what it held is to be given up. */
  readonly onGone?: ((caller: Caller) => unknown) | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}
