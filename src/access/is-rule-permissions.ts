import type { Permissions } from '../host/permissions.js';
import type { RulePermissions } from './create-permissions.js';

/** True for permissions by rules, and for what has their methods. */
export function isRulePermissions(permissions: Permissions): permissions is RulePermissions {
  return 'setMode' in permissions && 'takeDirectories' in permissions;
}
