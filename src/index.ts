export { createPermissions } from './access/create-permissions.js';
export { createPolicy } from './access/policy/policy.js';
export { wrapPermissions } from './access/wrap-permissions.js';
export type { AnnounceListener, Announcement } from './agents/announce-queue.js';
export type { SubagentEnd } from './agents/subagent-end.js';
export { assessCommand } from './command/assess-command.js';
export { ToolError, type ToolErrorCode, toolErrors } from './core/error.js';
export { defaultLimits, type Limits } from './core/limits.js';
export { Tool, type ToolResult } from './core/tool.js';
export type * from './core.js';
export type { FileMount } from './files/mounted-files.js';
export { executeTools } from './pipeline/execute-tools.js';
export type { ShellDeadline } from './shell/deadline-shell.js';
export type { GuardVerdict } from './shell/guarded-shell.js';
export { createPlanMode } from './state/create-plan-mode.js';
export { createDeadLetters } from './state/dead-letters/create-dead-letters.js';
export { createRateLimiter } from './state/limits/create-rate-limiter.js';
export { createConfigStore } from './state/planning/create-config-store.js';
export { createTaskBoard } from './state/planning/create-task-board.js';
export { createTodoStore } from './state/planning/create-todo-store.js';
export { InMemoryConfigStore } from './state/planning/in-memory-config-store.js';
export { terminalInput } from './state/planning/terminal-input.js';
export type { ReadLedger, SeenFile } from './state/read-ledger.js';
export type {
  StoppedTask,
  TaskEnd,
  TaskNotification,
  TaskOutput,
  TaskRun,
  TaskState,
  TaskView,
} from './state/tasks/task.js';
export type { TaskListener, TaskManager } from './state/tasks/tasks.js';
export { htmlToMarkdown } from './text/html/html-to-markdown.js';
export type { Scrub } from './text/secrets/scrub-text-part.js';
export { createScrubber, scrubCredentials } from './text/secrets/scrubber.js';
export { summaryPrompt } from './text/summary-prompt.js';
export { type AssessBashCommand, type BashAssessment, type BashDependencies, bashTool } from './tools/bash.js';
export type { FetchedPage } from './tools/content/fetched-page.js';
export type { FileChangeDependencies } from './tools/content/file-change-dependencies.js';
export type { SyntaxChecker } from './tools/content/syntax-check.js';
export { editTool } from './tools/edit.js';
export { type GlobDependencies, globTool } from './tools/glob.js';
export { type GrepDependencies, grepTool } from './tools/grep.js';
export { type ListDependencies, listTool } from './tools/list.js';
export { notebookEditTool } from './tools/notebook-edit.js';
export { type AskUserQuestionDependencies, askUserQuestionTool } from './tools/planning/ask-user-question.js';
export { type ConfigDependencies, configTool } from './tools/planning/config.js';
export { type EnterPlanModeDependencies, enterPlanModeTool } from './tools/planning/enter-plan-mode.js';
export { type ExitPlanModeDependencies, exitPlanModeTool } from './tools/planning/exit-plan-mode.js';
export { todoReadTool } from './tools/planning/todo-read.js';
export { type TodoWriteDependencies, todoWriteTool } from './tools/planning/todo-write.js';
export type { TodoDependencies } from './tools/planning/todos.js';
export { type ReadDependencies, readTool } from './tools/read.js';
export { type KeptPage, type WebFetchDependencies, webFetchTool } from './tools/web/web-fetch.js';
export { type WebSearchDependencies, webSearchTool } from './tools/web/web-search.js';
export { writeTool } from './tools/write.js';
export { createHttpClient } from './web/create-http-client.js';
export type { PageCache } from './web/page-cache.js';
export { braveSearch } from './web/search/brave-search.js';
export { exaSearch } from './web/search/exa-search.js';
export { searxngSearch } from './web/search/searxng-search.js';
export { stubSearch } from './web/search/stub-search.js';
export { tavilySearch } from './web/search/tavily-search.js';
export type { RegistryFor } from './wiring/caller-registries.js';
export { createToolkit } from './wiring/create-toolkit.js';
export type { Features } from './wiring/features.js';
export { ToolRegistry } from './wiring/tool-registry.js';
export type { McpSettings, ToolkitOptions } from './wiring/toolkit-options.js';
