import type { Caller } from '../core/context.js';
import type { SubagentOutcome } from '../core/subagents.js';

/** The end of a subagent that ran in the background. */
export interface SubagentEnd {
  readonly agentId: string;
  /** The agent that started it; undefined for the main agent. */
  readonly parentId?: string | undefined;
  /** The parent at the start of the subagent. */
  readonly caller: Caller;
  readonly description: string;
  readonly state: SubagentOutcome['state'];
  /** Its last answer, or the reason for its absence. */
  readonly output: string;
  readonly durationMs: number;
}
