import type { Caller } from '../core/context.js';
import type { StartedSubagent, SubagentTask, SubagentView } from '../core/subagents.js';
import type { AgentMessage } from '../host/agents/subagents.js';

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
