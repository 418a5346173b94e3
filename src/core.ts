export {
  type CheckCommand,
  createPermissions,
  type PermissionsOptions,
  type RulePermissions,
} from './access/create-permissions.js';
export { type ConfiguredPolicy, createPolicy, type PolicyDefaults, type PolicyStep } from './access/policy/policy.js';
export type {
  AgentPolicy,
  PolicyConfig,
  PolicyLists,
  ProviderPolicy,
  SubagentPolicy,
} from './access/policy/policy-config.js';
export type { PolicyScope, PolicyStepName } from './access/policy/policy-gates.js';
export type { ToolCatalogue } from './access/policy/policy-subject.js';
export type { PermissionExplanation } from './access/rules/permission-rules.js';
export type { RuleNames } from './access/rules/rule-names.js';
export type { RuleChanges, RuleOptions } from './access/rules/rule-options.js';
export { wrapPermissions } from './access/wrap-permissions.js';
export type {
  AssessOptions,
  CommandAssessment,
  CommandReason,
  CommandReasonCategory,
} from './command/assess-command.js';
export type { DenyCategory } from './command/deny/plain-command.js';
export type { CommandLimits } from './command/read/command-limits.js';
export type { CallAssessment } from './core/assessment.js';
export type { ToolTraits } from './core/builtin-tools.js';
export type * from './core/call.js';
export type { Caller, CallScope, NamedToolContext, ProgressUpdate, ToolContext } from './core/context.js';
export { type AnyErrorCode, ToolError, type ToolErrorCode, type ToolErrorOptions, toolErrors } from './core/error.js';
export type { McpServerState, ToolEvent, ToolEventListener } from './core/event.js';
export { defaultLimits, type LimitOverrides, type Limits } from './core/limits.js';
export type { PermissionCategory, ToolPermissions } from './core/permission-category.js';
export type * from './core/permission-question.js';
export type { Leftover } from './core/registry/leftover.js';
export type { ReadyOptions, UnreadyTool } from './core/registry/pending-tools.js';
export type { RegistryEvent, RegistryOptions, ToolSnapshot } from './core/registry/registry.js';
export type {
  GivenContext,
  McpToolCaller,
  RegisterOptions,
  RegistryToolsOptions,
  RunnableRegistry,
} from './core/registry/runnable-registry.js';
export type { ToolDefinitionJson } from './core/registry/tool-definitions.js';
export type * from './core/registry/toolkit.js';
export type * from './core/registry/toolkit-processes.js';
export type { McpAnnotations, Risk, SideEffect } from './core/risk.js';
export type { JsonSchemaObject } from './core/schema/json-schema.js';
export type {
  InputIssue,
  InputSchema,
  ParsedInput,
  SchemaInput,
  SchemaLike,
  SchemaOutput,
  StandardSchema,
} from './core/schema/schema.js';
export type * from './core/subagents.js';
export type { Answering } from './core/support/answering.js';
export type { Timers } from './core/support/timers.js';
export type { Todo } from './core/todo.js';
export {
  type Assessment,
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
  type ToolSending,
  type Touched,
  type Verdict,
} from './core/tool.js';
export type { InputOf, ToolInputs } from './core/tool-inputs.js';
export type { McpOrigin } from './core/tool-names.js';
export type * from './host/agents/sessions.js';
export type * from './host/agents/subagents.js';
export type * from './host/agents/teams.js';
export type * from './host/dead-letters.js';
export type * from './host/documents.js';
export type * from './host/file-store.js';
export type * from './host/file-system.js';
export type * from './host/hook-runner.js';
export type * from './host/hooks.js';
export type * from './host/hosts.js';
export type * from './host/http-client.js';
export type * from './host/images.js';
export type * from './host/mcp-client.js';
export type * from './host/output-store.js';
export type * from './host/permissions.js';
export type * from './host/planning/config-store.js';
export type * from './host/planning/plan-mode.js';
export type * from './host/planning/task-board.js';
export type * from './host/planning/todo-store.js';
export type * from './host/planning/user-input.js';
export type * from './host/policy.js';
export type * from './host/rate-limiter.js';
export type * from './host/sandbox.js';
export type * from './host/search-provider.js';
export type * from './host/shell.js';
export type * from './host/summarizer.js';
export type * from './host/suspension-store.js';
export type * from './host/tool-resolver.js';
export { type ExecuteOptions, executeTools } from './pipeline/execute-tools.js';
export type { HookPrograms } from './pipeline/hooks/compile-hooks.js';
export type { Turn } from './pipeline/run/run.js';
export type { Places, RetryOptions, RunOptions } from './pipeline/run/settings.js';
export type { StoppableTurn, Turns } from './pipeline/run/turns.js';
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
  type RateLimiterOptions,
} from './state/limits/create-rate-limiter.js';
export type { RateLimit, RateLimits } from './state/limits/rate-limits.js';
export type { ConfigStoreOptions, SettingOptions } from './state/planning/create-config-store.js';
export type { TaskBoardOptions } from './state/planning/create-task-board.js';
export type { TerminalStreams } from './state/planning/terminal-input.js';
export type { HtmlOptions } from './text/html/html-to-markdown.js';
export type { SecretLookup } from './text/secrets/redaction-marks.js';
export {
  type CredentialScrubber,
  createScrubber,
  type Scrubber,
  type ScrubberOptions,
  type ScrubberStream,
  scrubCredentials,
} from './text/secrets/scrubber.js';
export type { BashProgress } from './tools/bash-progress.js';
export type { Lookup } from './web/address-guard.js';
export type { HttpClientOptions, WebSettings } from './web/create-http-client.js';
export type { Connect, ConnectTarget } from './web/http-exchange.js';
export type { SearchOptions } from './web/search/search-api.js';
export type { SearxngOptions } from './web/search/searxng-search.js';
export type { SandboxFunction, SandboxOption, SandboxSettings } from './wiring/sandbox-option.js';
export { ToolRegistry } from './wiring/tool-registry.js';
export type { FileSettings, ShellSettings } from './wiring/toolkit-options.js';
