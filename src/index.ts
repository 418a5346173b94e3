export type { AnnounceListener, Announcement } from './agents/announcement-queue.js';
export type { SubagentEnd } from './agents/subagent-manager-options.js';
export { executeTools } from './call/execute-tools.js';
export { ToolError, type ToolErrorCode, toolErrors } from './core/error.js';
export { defaultLimits, type Limits } from './core/limits.js';
export type { Scrub } from './core/text/scrub-excerpt.js';
export { Tool } from './core/tool.js';
export type { ToolResult } from './core/tool-result.js';
export type * from './core.js';
export type { Turn } from './deprecated.js';
export {
  askUserQuestionTool,
  bashTool,
  braveSearch,
  configTool,
  editTool,
  enterPlanModeTool,
  exaSearch,
  exitPlanModeTool,
  globTool,
  grepTool,
  htmlToMarkdown,
  listTool,
  notebookEditTool,
  readTool,
  searxngSearch,
  stubSearch,
  tavilySearch,
  todoReadTool,
  todoWriteTool,
  webFetchTool,
  webSearchTool,
  writeTool,
} from './deprecated.js';
export type { FileMount } from './files/mounts/mounted-files.js';
export { createRateLimiter } from './guards/limits/create-rate-limiter.js';
export { createPermissions } from './permissions/create-permissions.js';
export { createPolicy } from './permissions/policy.js';
export { wrapPermissions } from './permissions/wrap-permissions.js';
export { createScrubber, scrubCredentials } from './secrets/scrubber.js';
export { terminalInput } from './sessions/ask-at-terminal.js';
export type {
  StoppedTask,
  TaskEnd,
  TaskNotification,
  TaskOutput,
  TaskRun,
  TaskState,
  TaskView,
} from './sessions/background-task.js';
export { createConfigStore } from './sessions/create-config-store.js';
export { createDeadLetters } from './sessions/create-dead-letters.js';
export { createPlanMode } from './sessions/create-plan-mode.js';
export { createTaskBoard } from './sessions/create-task-board.js';
export { InMemoryConfigStore } from './sessions/in-memory-config-store.js';
export { createTodoStore } from './sessions/in-memory-todo-store.js';
export type { ReadLedger, SeenFile } from './sessions/read-ledger.js';
export type { TaskListener, TaskManager } from './sessions/task-manager.js';
export { assessCommand } from './shell/assess/judge-command.js';
export type { GuardVerdict } from './shell/run/guarded-shell.js';
export type { RegistryFor } from './toolkit/caller-registries.js';
export { createToolkit } from './toolkit/create-toolkit.js';
export type { Features, McpSettings, ToolkitOptions } from './toolkit/options.js';
export { ToolRegistry } from './toolkit/tool-registry.js';
export type { FetchedPage } from './tools/content/convert-response.js';
export type { FileChangeDependencies } from './tools/content/file-change-dependencies.js';
export type { SyntaxChecker } from './tools/content/syntax-check.js';
export type { GlobDependencies } from './tools/files/glob.js';
export type { GrepDependencies } from './tools/files/grep.js';
export type { ListDependencies } from './tools/files/list.js';
export type { ReadDependencies } from './tools/files/read.js';
export type { AskUserQuestionDependencies } from './tools/planning/ask-user-question.js';
export type { ConfigDependencies } from './tools/planning/config-tool.js';
export type { EnterPlanModeDependencies, ExitPlanModeDependencies } from './tools/planning/plan-mode.js';
export type { TodoDependencies, TodoWriteDependencies } from './tools/planning/todo-tools.js';
export type { AssessBashCommand, BashAssessment, BashDependencies } from './tools/shell/bash.js';
export type { ShellDeadline } from './tools/shell/deadline.js';
export type { KeptPage, WebFetchDependencies } from './tools/web/fetch.js';
export type { PageCache } from './tools/web/page-cache.js';
export type { WebSearchDependencies } from './tools/web/search.js';
export { createHttpClient } from './web/fetch/create-http-client.js';
export { summaryPrompt } from './web/fetch/summary-prompt.js';
