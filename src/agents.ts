export {
  type AgentModel,
  type AgentModelReply,
  type AgentModelRequest,
  type AgentTurn,
  type InProcessSpawnerOptions,
  inProcessSpawner,
  type SubagentType,
} from './agents/in-process-spawner.js';
export type { SubagentEnd } from './agents/subagent-end.js';
export type {
  StartedSubagent,
  SubagentOutcome,
  SubagentState,
  SubagentTask,
  SubagentUsage,
  SubagentView,
  ToolkitSubagents,
} from './core/subagents.js';
export type {
  AgentMessage,
  SubagentProgress,
  SubagentRequest,
  SubagentResult,
  SubagentSpawner,
} from './host/agents/subagents.js';
