export type { ConfiguredPolicy, PolicyDefaults, PolicyStep } from './access/policy/policy.js';
export type {
  AgentPolicy,
  PolicyConfig,
  PolicyLists,
  ProviderPolicy,
  SubagentPolicy,
} from './access/policy/policy-config.js';
export type { PolicyStepName } from './access/policy/policy-gates.js';
export type { ToolCatalogue } from './access/policy/policy-subject.js';
export { lintRules, type RuleWarning } from './access/rules/lint-rules.js';
export { type PermissionCategory, permissionCategory } from './core/permission-category.js';
export { type DescriptionWarning, lintDescriptions } from './core/registry/lint-descriptions.js';
export { type DangerLevel, dangerLevel, type McpAnnotations, mcpRisk } from './core/risk.js';
