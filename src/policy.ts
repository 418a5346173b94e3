export { type PermissionCategory, permissionCategory } from './core/permission-category.js';
export { type DescriptionWarning, lintDescriptions } from './core/registry/lint-descriptions.js';
export { type DangerLevel, dangerLevel, type McpAnnotations, mcpRisk } from './core/risk.js';
export type {
  AgentPolicy,
  PolicyConfig,
  PolicyLists,
  ProviderPolicy,
  SubagentPolicy,
} from './permissions/policy/config.js';
export type { ToolCatalogue } from './permissions/policy/list.js';
export type { ConfiguredPolicy, PolicyDefaults, PolicyStep } from './permissions/policy/policy.js';
export type { PolicyStepName } from './permissions/policy/reader.js';
export { lintRules, type RuleWarning } from './permissions/rules/lint-rules.js';
