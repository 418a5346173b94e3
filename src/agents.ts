export type { AnnounceListener, Announcement } from './agents/announcement-queue.js';
export {
  type InProcessSessions,
  type InProcessSessionsOptions,
  inProcessSessions,
  type SessionNote,
} from './agents/in-process-sessions.js';
export {
  type AgentModel,
  type AgentModelReply,
  type AgentModelRequest,
  type AgentTurn,
  type InProcessSpawnerOptions,
  inProcessSpawner,
  type SubagentType,
} from './agents/in-process-spawner.js';
export { type InProcessTeams, inProcessTeams, type TeamAgents, type TeamLimits } from './agents/in-process-teams.js';
export type { SubagentEnd } from './agents/subagent-manager-options.js';
export type * from './core/subagent.js';
export type * from './ports/agents/sessions.js';
export type * from './ports/agents/subagents.js';
export type * from './ports/agents/teams.js';
