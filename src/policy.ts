export { type PermissionCategory, permissionCategory } from './core/permission-category.js';
export { type DescriptionWarning, lintDescriptions } from './core/registry/lint-descriptions.js';
export { type DangerLevel, dangerLevel, type McpAnnotations, mcpRisk } from './core/risk.js';
export type { ToolCatalogue } from './permissions/allow-or-deny-list.js';
export { lintRules, type RuleWarning } from './permissions/lint-rules.js';
export type { ConfiguredPolicy, PolicyDefaults } from './permissions/policy.js';
export type {
  AgentPolicy,
  PolicyConfig,
  PolicyLists,
  ProviderPolicy,
  SubagentPolicy,
} from './permissions/policy-config.js';
