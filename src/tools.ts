export { SubagentManager } from './agents/subagent-manager.js';
export type { SubagentManagerOptions } from './agents/subagent-manager-options.js';
export { trackFiles } from './files/tracked-files.js';
export { FileChanges, type FileChangesOptions } from './files/undo/file-changes.js';
export type { ProcessShell } from './shell/lazy-shell.js';
export type {
  StoppedTask,
  TaskEnd,
  TaskNotification,
  TaskOutput,
  TaskRun,
  TaskState,
  TaskView,
} from './state/tasks/task.js';
export { type TaskListener, TaskManager, type TaskManagerOptions } from './state/tasks/tasks.js';
export { type AgentDependencies, agentTool } from './tools/agents/agent.js';
export { sendMessageTool } from './tools/agents/send-message.js';
export type { SessionDependencies } from './tools/agents/session-dependencies.js';
export { type SessionStatusDependencies, sessionStatusTool } from './tools/agents/session-status.js';
export { sessionsHistoryTool } from './tools/agents/sessions-history.js';
export { sessionsListTool } from './tools/agents/sessions-list.js';
export { type SessionsSendDependencies, sessionsSendTool } from './tools/agents/sessions-send.js';
export { type SubagentsDependencies, subagentsTool } from './tools/agents/subagents.js';
export { type TeamDependencies, teamCreateTool } from './tools/agents/team-create.js';
export { teamDeleteTool } from './tools/agents/team-delete.js';
export { type ApplyPatchDependencies, applyPatchTool } from './tools/apply-patch.js';
export { type AssessBashCommand, type BashDependencies, bashTool } from './tools/bash.js';
export type { FileChangeDependencies } from './tools/content/file-change-dependencies.js';
export { editTool } from './tools/edit.js';
export { type GlobDependencies, globTool } from './tools/glob.js';
export { type GrepDependencies, grepTool } from './tools/grep.js';
export { type ListDependencies, listTool } from './tools/list.js';
export { type ListMcpResourcesDependencies, listMcpResourcesTool } from './tools/mcp/list-mcp-resources.js';
export { type LeftOutTool, McpCatalogue, type McpCatalogueOptions } from './tools/mcp/mcp-catalogue.js';
export { type ReadMcpResourceDependencies, readMcpResourceTool } from './tools/mcp/read-mcp-resource.js';
export { type ToolSearchDependencies, toolSearchTool } from './tools/mcp/tool-search.js';
export { type RestartShellDependencies, restartShellTool } from './tools/native/restart-shell.js';
export { type ViewDependencies, viewTool } from './tools/native/view.js';
export { notebookEditTool } from './tools/notebook-edit.js';
export { type AskUserQuestionDependencies, askUserQuestionTool } from './tools/planning/ask-user-question.js';
export { type ConfigDependencies, configTool } from './tools/planning/config.js';
export { type EnterPlanModeDependencies, enterPlanModeTool } from './tools/planning/enter-plan-mode.js';
export { type ExitPlanModeDependencies, exitPlanModeTool } from './tools/planning/exit-plan-mode.js';
export type { TaskBoardDependencies } from './tools/planning/task-board.js';
export { taskCreateTool } from './tools/planning/task-create.js';
export { taskGetTool } from './tools/planning/task-get.js';
export { taskListTool } from './tools/planning/task-list.js';
export { taskUpdateTool } from './tools/planning/task-update.js';
export { todoReadTool } from './tools/planning/todo-read.js';
export { type TodoWriteDependencies, todoWriteTool } from './tools/planning/todo-write.js';
export type { TodoDependencies } from './tools/planning/todos.js';
export { type ReadDependencies, readTool } from './tools/read.js';
export { type TaskOutputDependencies, taskOutputTool } from './tools/task-output.js';
export { type TaskStopDependencies, taskStopTool } from './tools/task-stop.js';
export { type UndoDependencies, undoFileTool } from './tools/undo-file.js';
export { undoTurnTool } from './tools/undo-turn.js';
export { type WebFetchDependencies, webFetchTool } from './tools/web/web-fetch.js';
export { type WebSearchDependencies, webSearchTool } from './tools/web/web-search.js';
export { writeTool } from './tools/write.js';
export { type HostShellSettings, hostShell } from './wiring/host-shell.js';
