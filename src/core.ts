export {
  type CheckCommand,
  createPermissions,
  type PermissionsOptions,
  type RulePermissions,
} from './access/create-permissions.js';
export { createPolicy } from './access/policy/policy.js';
export type { PermissionExplanation } from './access/rules/permission-rules.js';
export type { RuleChanges } from './access/rules/rule-options.js';
export { wrapPermissions } from './access/wrap-permissions.js';
export type { AssessOptions, CommandAssessment, CommandReason } from './command/assess-command.js';
export type {
  PlainCallResult,
  SuspendedRun,
  ToolCall,
  ToolCallFailure,
  ToolCallResult,
  ToolCallSuccess,
  ToolRun,
} from './core/call.js';
export type { Caller, CallScope, NamedToolContext, ProgressUpdate, ToolContext } from './core/context.js';
export { type AnyErrorCode, ToolError, type ToolErrorCode, type ToolErrorOptions, toolErrors } from './core/error.js';
export type { ToolEvent, ToolEventListener } from './core/event.js';
export { defaultLimits, type LimitOverrides, type Limits } from './core/limits.js';
export type { ToolPermissions } from './core/permission-category.js';
export type {
  Answers,
  AskAnswer,
  CallDecision,
  PermissionQuestion,
  PermissionVerdict,
} from './core/permission-question.js';
export type { ReadyOptions, UnreadyTool } from './core/registry/pending-tools.js';
export type { RegistryEvent, RegistryOptions } from './core/registry/registry.js';
export type {
  GivenContext,
  McpToolCaller,
  RegisterOptions,
  RegistryToolsOptions,
  RunnableRegistry,
} from './core/registry/runnable-registry.js';
export type { ToolDefinitionJson } from './core/registry/tool-definitions.js';
export type {
  CallOptions,
  ExecuteTurnOptions,
  FileContent,
  Leftover,
  QueuedCall,
  RecordedChange,
  TaskNews,
  Toolkit,
  ToolkitFiles,
  TurnOptions,
} from './core/registry/toolkit.js';
export type { Risk, SideEffect } from './core/risk.js';
export type { JsonSchemaObject } from './core/schema/json-schema.js';
export type {
  InputIssue,
  InputSchema,
  ParsedInput,
  SchemaLike,
  SchemaOutput,
  StandardSchema,
} from './core/schema/schema.js';
export type { Answering } from './core/support/answering.js';
export type { Todo } from './core/todo.js';
export {
  type Attachment,
  type CommandPaths,
  type Footprint,
  type Target,
  Tool,
  type ToolAnswer,
  type ToolDefinition,
  type ToolInit,
  type ToolInitContext,
  type ToolMetadata,
  type ToolResult,
  type Touched,
  type Verdict,
} from './core/tool.js';
export type { DeadLetter, DeadLetters } from './host/dead-letters.js';
export type {
  Hook,
  HookEntry,
  PostToolUseAnswer,
  PostToolUseEvent,
  PostToolUseFailureAnswer,
  PostToolUseFailureEvent,
  PreToolUseAnswer,
  PreToolUseEvent,
  ToolHooks,
} from './host/hooks.js';
export type { HttpPost, HttpRequest, HttpResponse } from './host/http-client.js';
export type { OutputStore } from './host/output-store.js';
export type { PermissionDecision, PermissionMode, PermissionRequest, Permissions } from './host/permissions.js';
export type { Setting, SettingValue } from './host/planning/config-store.js';
export type { PlanMode } from './host/planning/plan-mode.js';
export type { BoardTask, BoardTaskChange, NewBoardTask } from './host/planning/task-board.js';
export type { QuestionOption, UserAnswers, UserQuestion } from './host/planning/user-input.js';
export type { Policy } from './host/policy.js';
export type { RateAnswer, RateLimiter, RateRequest } from './host/rate-limiter.js';
export type { SandboxLaunch, SandboxProgram } from './host/sandbox.js';
export type { SearchQuery, SearchResult } from './host/search-provider.js';
export type { ShellOutcome, ShellRequest, Survivor } from './host/shell.js';
export type { SummaryRequest } from './host/summarizer.js';
export type { SettledCall, SuspensionStore } from './host/suspension-store.js';
export type { ToolResolver } from './host/tool-resolver.js';
export { type ExecuteOptions, executeTools } from './pipeline/execute-tools.js';
export type { RetryOptions, RunOptions } from './pipeline/run/settings.js';
export { createPlanMode } from './state/create-plan-mode.js';
export {
  createDeadLetters,
  type DeadLetterBox,
  type DeadLetterOptions,
  type NewDeadLetter,
} from './state/dead-letters/create-dead-letters.js';
export {
  createRateLimiter,
  type MemoryRateLimiter,
  type RateLimit,
  type RateLimiterOptions,
} from './state/limits/create-rate-limiter.js';
export type { ConfigStoreOptions } from './state/planning/create-config-store.js';
export type { TaskBoardOptions } from './state/planning/create-task-board.js';
export type { TerminalStreams } from './state/planning/terminal-input.js';
export type { HtmlOptions } from './text/html/html-to-markdown.js';
export {
  type CredentialScrubber,
  createScrubber,
  type Scrubber,
  type ScrubberOptions,
  type ScrubberStream,
  scrubCredentials,
} from './text/secrets/scrubber.js';
export type { BashProgress } from './tools/bash-progress.js';
export type { HttpClientOptions, WebSettings } from './web/create-http-client.js';
export type { SearchOptions } from './web/search/search-api.js';
export type { SearxngOptions } from './web/search/searxng-search.js';
export type { SandboxFunction, SandboxOption, SandboxSettings } from './wiring/sandbox-option.js';
export { ToolRegistry } from './wiring/tool-registry.js';
export type { FileSettings, ShellSettings } from './wiring/toolkit-options.js';
