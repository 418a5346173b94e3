export { type ExecuteOptions, executeTools } from './call/execute-tools.js';
export type { RetryOptions, RunOptions } from './call/run-options.js';
export type { Assessment, CallAssessment, Footprint, Target, Touched, Verdict } from './core/assessment.js';
export type { ToolTraits } from './core/builtin-tool-facts.js';
export type * from './core/call.js';
export type { CommandPaths } from './core/command-path-facts.js';
export type { Caller, CallScope, NamedToolContext, ProgressUpdate, ToolContext } from './core/context.js';
export { type AnyErrorCode, ToolError, type ToolErrorCode, type ToolErrorOptions, toolErrors } from './core/error.js';
export type { McpServerState, ToolEvent, ToolEventListener } from './core/event.js';
export { defaultLimits, type LimitOverrides, type Limits } from './core/limits.js';
export type { PermissionCategory, ToolPermissions } from './core/permission-category.js';
export type * from './core/permission-question.js';
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
export type { ReadyOptions, UnreadyTool } from './core/registry/tools-with-init.js';
export type * from './core/registry/turn-options.js';
export type { McpAnnotations, Risk, SideEffect } from './core/risk.js';
export type { InputSchema, SchemaInput, SchemaLike, SchemaOutput, StandardSchema } from './core/schema/input.js';
export type { JsonSchemaObject } from './core/schema/json-schema.js';
export type { ParsedInput } from './core/schema/json-schema-parser.js';
export type { InputIssue } from './core/schema/validate-value.js';
export type * from './core/subagent.js';
export type { Answering } from './core/support/callback-type.js';
export type { OptionKind, OptionKinds, OptionsOf } from './core/support/check-values.js';
export type { Timers } from './core/support/timers.js';
export type { SecretLookup } from './core/text/redaction-marks.js';
export type { Todo } from './core/todo.js';
export { Tool } from './core/tool.js';
export type { ToolDefinition, ToolInit, ToolInitContext, ToolSending } from './core/tool-definition.js';
export type { InputOf, ToolInputs } from './core/tool-inputs.js';
export type { McpOrigin } from './core/tool-names.js';
export type { Attachment, ToolAnswer, ToolMetadata, ToolResult } from './core/tool-result.js';
export type { CallDecision, PermissionVerdict } from './deprecated.js';
export {
  createRateLimiter,
  type MemoryRateLimiter,
  type RateLimiterOptions,
} from './guards/limits/create-rate-limiter.js';
export type { RateLimit, RateLimits } from './guards/limits/rate-options.js';
export type { ToolCatalogue } from './permissions/allow-or-deny-list.js';
export {
  type CheckCommand,
  createPermissions,
  type PermissionsOptions,
  type RulePermissions,
} from './permissions/create-permissions.js';
export type { PermissionExplanation } from './permissions/decide-by-rules.js';
export type { RuleNames } from './permissions/misspelt-names.js';
export {
  type ConfiguredPolicy,
  createPolicy,
  type PolicyDefaults,
} from './permissions/policy.js';
export type {
  AgentPolicy,
  PolicyConfig,
  PolicyLists,
  ProviderPolicy,
  SubagentPolicy,
} from './permissions/policy-config.js';
export type { RuleChanges, RuleOptions } from './permissions/rule.js';
export { wrapPermissions } from './permissions/wrap-permissions.js';
export type * from './ports/agents/sessions.js';
export type * from './ports/agents/subagents.js';
export type * from './ports/agents/teams.js';
export type * from './ports/dead-letters.js';
export type * from './ports/document-reader.js';
export type * from './ports/file-store.js';
export type * from './ports/file-system.js';
export type * from './ports/hooks.js';
export type * from './ports/hosts.js';
export type * from './ports/http-client.js';
export type * from './ports/image-resizer.js';
export type * from './ports/mcp-client.js';
export type * from './ports/output-store.js';
export type * from './ports/permissions.js';
export type * from './ports/planning/config-store.js';
export type * from './ports/planning/plan-mode.js';
export type * from './ports/planning/task-board.js';
export type * from './ports/planning/todo-store.js';
export type * from './ports/planning/user-input.js';
export type { Policy } from './ports/policy.js';
export type * from './ports/rate-limiter.js';
export type * from './ports/sandbox.js';
export type { Scrubber, ScrubberStream } from './ports/scrubber.js';
export type * from './ports/search-provider.js';
export type * from './ports/shell.js';
export type * from './ports/summarizer.js';
export type * from './ports/suspension-store.js';
export type * from './ports/tool-resolver.js';
export { type CredentialScrubber, createScrubber, type ScrubberOptions, scrubCredentials } from './secrets/scrubber.js';
export type { TerminalStreams } from './sessions/ask-at-terminal.js';
export type { ConfigStoreOptions, SettingOptions } from './sessions/create-config-store.js';
export {
  createDeadLetters,
  type DeadLetterBox,
  type DeadLetterOptions,
  type NewDeadLetter,
} from './sessions/create-dead-letters.js';
export { createPlanMode } from './sessions/create-plan-mode.js';
export type { TaskBoardOptions } from './sessions/create-task-board.js';
export type { DenyCategory } from './shell/assess/denial.js';
export type {
  AssessOptions,
  CommandAssessment,
  CommandReason,
  CommandReasonCategory,
} from './shell/assess/judge-command.js';
export type { CommandLimits } from './shell/parse/command-limits.js';
export type { SandboxFunction, SandboxOption, SandboxSettings } from './shell/sandbox/option.js';
export type { FileSettings, ShellSettings } from './toolkit/options.js';
export { ToolRegistry } from './toolkit/tool-registry.js';
export type { BashProgress } from './tools/shell/bash.js';
export type { Lookup } from './web/fetch/address-guard.js';
export type { HttpClientOptions, WebSettings } from './web/fetch/create-http-client.js';
export type { Connect, ConnectTarget } from './web/fetch/http-exchange.js';
export type { HtmlOptions } from './web/html/to-markdown.js';
export type { SearchOptions } from './web/search/json-api.js';
export type { SearxngOptions } from './web/search/searxng.js';
