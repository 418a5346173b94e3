import type { Permissions } from '../host/permissions.js';
import type { RulePermissions } from './create-permissions.js';

/**
 * True for permissions by rules, and for what has their methods. A copy of their methods without their mode stands in
 * front of them like every wrapper.
 */
export function isRulePermissions(permissions: Permissions): permissions is RulePermissions {
  return 'setMode' in permissions && 'takeDirectories' in permissions && 'mode' in permissions;
}
