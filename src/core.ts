export type { AskAnswer, CheckCommand, PermissionsOptions, RulePermissions } from './access/create-permissions.js';
export { createPermissions } from './access/create-permissions.js';
export {
  type ConfiguredPolicy,
  createPolicy,
  type PolicyDefaults,
  type PolicyStep,
} from './access/policy/policy.js';
export type {
  AgentPolicy,
  PolicyConfig,
  PolicyLists,
  ProviderPolicy,
  SubagentPolicy,
} from './access/policy/policy-config.js';
export type { PolicyStepName } from './access/policy/policy-gates.js';
export type { ToolCatalogue } from './access/policy/policy-subject.js';
export type { PermissionExplanation, RuleChanges } from './access/rules/permission-rules.js';
export type {
  PlainCallResult,
  ToolCall,
  ToolCallFailure,
  ToolCallResult,
  ToolCallSuccess,
  ToolRun,
} from './core/call.js';
export type { Caller, CallScope, ProgressUpdate, ToolContext } from './core/context.js';
export { type AnyErrorCode, ToolError, type ToolErrorCode, type ToolErrorOptions, toolErrors } from './core/error.js';
export type { ToolEvent, ToolEventListener } from './core/event.js';
export { defaultLimits, type LimitOverrides, type Limits } from './core/limits.js';
export { type PermissionCategory, permissionCategory, type ToolPermissions } from './core/permission-category.js';
export { type DescriptionWarning, lintDescriptions } from './core/registry/lint-descriptions.js';
export type { ReadyOptions, UnreadyTool } from './core/registry/pending-tools.js';
export { type RegistryEvent, type ToolDefinitionJson, ToolRegistry } from './core/registry/registry.js';
export type { Leftover, QueuedCall, TaskNews, Toolkit, TurnOptions } from './core/registry/toolkit.js';
export {
  type DangerLevel,
  dangerLevel,
  type McpAnnotations,
  mcpRisk,
  type Risk,
  type SideEffect,
} from './core/risk.js';
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
export type { OutputStore } from './host/output-store.js';
export type { PermissionDecision, PermissionMode, PermissionRequest, Permissions } from './host/permissions.js';
export type { PlanMode } from './host/plan-mode.js';
export type { Policy } from './host/policy.js';
export type { RateAnswer, RateLimiter, RateRequest } from './host/rate-limiter.js';
export type { ToolResolver } from './host/tool-resolver.js';
export { type ExecuteOptions, executeTools } from './pipeline/execute-tools.js';
export type { RetryOptions, RunOptions } from './pipeline/settings.js';
export { createFileClaims, type FileClaims, type FileClaimsOptions } from './state/create-file-claims.js';
export { createPlanMode } from './state/create-plan-mode.js';
export {
  createDeadLetters,
  type DeadLetterBox,
  type DeadLetterOptions,
  type KeptLetter,
  type NewLetter,
} from './state/dead-letters/create-dead-letters.js';
export {
  createRateLimiter,
  type MemoryRateLimiter,
  type RateLimit,
  type RateLimiterOptions,
} from './state/limits/create-rate-limiter.js';
export {
  type FlexibleAnswer,
  type FlexibleLimiter,
  fromRateLimiterFlexible,
} from './state/limits/from-rate-limiter-flexible.js';
export { createLoopGuard, type LoopGuardOptions, mergeHooks } from './state/loops/create-loop-guard.js';
export type { LoopLimits } from './state/loops/session-loops.js';
export {
  type CredentialScrubber,
  createScrubber,
  type Scrubber,
  type ScrubberOptions,
  type ScrubberStream,
  scrubCredentials,
} from './text/secrets/scrubber.js';
