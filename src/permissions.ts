export {
  type CheckCommand,
  createPermissions,
  type PermissionsOptions,
  type RulePermissions,
} from './access/create-permissions.js';
export { lintRules, type RuleWarning } from './access/rules/lint-rules.js';
export type { PermissionExplanation } from './access/rules/permission-rules.js';
export type { RuleChanges } from './access/rules/rule-options.js';
export { wrapPermissions } from './access/wrap-permissions.js';
export {
  type AssessOptions,
  assessCommand,
  type CommandAssessment,
  type CommandReason,
} from './command/assess-command.js';
export type { PermissionDecision } from './core/permission-question.js';
export type { PermissionMode, PermissionRequest, Permissions } from './host/permissions.js';
