export { SubagentManager } from './agents/subagent-manager.js';
export { trackFiles } from './files/change-tracking.js';
export { FileChanges, type FileChangesOptions } from './files/undo/change-log.js';
export type { TaskNotification, TaskState, TaskView } from './sessions/background-task.js';
export { SpillFolder } from './sessions/spill-folder.js';
export { TaskManager, type TaskManagerOptions } from './sessions/task-manager.js';
export { HostShell, type HostShellOptions } from './shell/run/host-shell.js';
export { type AgentDependencies, agentTool } from './tools/agents/agent.js';
export {
  type SessionStatusDependencies,
  type SessionsSendDependencies,
  sessionStatusTool,
  sessionsHistoryTool,
  sessionsListTool,
  sessionsSendTool,
} from './tools/agents/sessions.js';
export { type SubagentsDependencies, subagentsTool } from './tools/agents/subagents.js';
export { sendMessageTool, type TeamDependencies, teamCreateTool, teamDeleteTool } from './tools/agents/teams.js';
export { type ApplyPatchDependencies, applyPatchTool } from './tools/files/apply-patch.js';
export { editTool } from './tools/files/edit.js';
export { type GlobDependencies, globTool } from './tools/files/glob.js';
export { type GrepDependencies, grepTool } from './tools/files/grep.js';
export { type ListDependencies, listTool } from './tools/files/list.js';
export { notebookEditTool } from './tools/files/notebook-edit.js';
export { type ReadDependencies, readTool } from './tools/files/read.js';
export { type UndoDependencies, undoFileTool, undoTurnTool } from './tools/files/undo.js';
export { writeTool } from './tools/files/write.js';
export { type LeftOutTool, McpCatalogue, type McpCatalogueOptions } from './tools/mcp/catalogue.js';
export {
  type ListMcpResourcesDependencies,
  listMcpResourcesTool,
  type ReadMcpResourceDependencies,
  readMcpResourceTool,
} from './tools/mcp/resource-tools.js';
export { type ToolSearchDependencies, toolSearchTool } from './tools/mcp/tool-search.js';
export { type RestartShellDependencies, restartShellTool } from './tools/native/restart-shell.js';
export { type ViewDependencies, viewTool } from './tools/native/view.js';
export { type AskUserQuestionDependencies, askUserQuestionTool } from './tools/planning/ask-user-question.js';
export { type ConfigDependencies, configTool } from './tools/planning/config-tool.js';
export {
  type EnterPlanModeDependencies,
  type ExitPlanModeDependencies,
  enterPlanModeTool,
  exitPlanModeTool,
} from './tools/planning/plan-mode.js';
export { taskCreateTool, taskGetTool, taskListTool, taskUpdateTool } from './tools/planning/tasks.js';
export { type TodoWriteDependencies, todoReadTool, todoWriteTool } from './tools/planning/todo-tools.js';
export { type AssessBashCommand, type BashDependencies, bashTool } from './tools/shell/bash.js';
export {
  type TaskOutputDependencies,
  type TaskStopDependencies,
  taskOutputTool,
  taskStopTool,
} from './tools/shell/task-tools.js';
export { type WebFetchDependencies, webFetchTool } from './tools/web/fetch.js';
export { type WebSearchDependencies, webSearchTool } from './tools/web/search.js';
