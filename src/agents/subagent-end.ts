import type { Caller } from '../core/context.js';
import type { SubagentOutcome } from '../core/subagents.js';

/** The end of a subagent that ran in the background. */
export interface SubagentEnd {
  readonly agentId: string;
  /** The agent that started it; undefined for the main agent. */
  readonly parentId?: string | undefined;
  /** Of the parent, as it started the subagent. */
  readonly caller: Caller;
  readonly description: string;
  readonly state: SubagentOutcome['state'];
  /** Its last words, or why there are none. */
  readonly output: string;
  readonly durationMs: number;
}
