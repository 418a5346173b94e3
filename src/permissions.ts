export type { PermissionDecision } from './core/permission-question.js';
export {
  type CheckCommand,
  createPermissions,
  type PermissionsOptions,
  type RulePermissions,
} from './permissions/create-permissions.js';
export type { PermissionExplanation } from './permissions/decide-by-rules.js';
export { lintRules, type RuleWarning } from './permissions/lint-rules.js';
export type { RuleChanges } from './permissions/rule.js';
export { wrapPermissions } from './permissions/wrap-permissions.js';
export type { PermissionMode, PermissionRequest, Permissions } from './ports/permissions.js';
export {
  type AssessOptions,
  assessCommand,
  type CommandAssessment,
  type CommandReason,
} from './shell/assess/judge-command.js';
