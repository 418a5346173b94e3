import type { Caller } from '../core/context.js';

/** How a subagent stands. What was rejected never was one, and what is archived is forgotten. */
export type SubagentState = 'spawning' | 'running' | 'completed' | 'failed' | 'cancelled';

/** The end of a subagent that ran in the background. */
export interface SubagentEnd {
  readonly agentId: string;
  /** The agent that started it; undefined for the main agent. */
  readonly parentId?: string | undefined;
  /** Of the parent, as it started the subagent. */
  readonly caller: Caller;
  readonly description: string;
  readonly state: Extract<SubagentState, 'completed' | 'failed' | 'cancelled'>;
  /** Its last words, or why there are none. */
  readonly output: string;
  readonly durationMs: number;
}
