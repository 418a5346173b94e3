import type { HostFiles } from '../files/host-files.js';
import { createPermissions, type RulePermissions } from '../permissions/create-permissions.js';
import type { Permissions } from '../ports/permissions.js';
import type { ToolkitOptions } from './toolkit-options.js';

/** The permissions of a toolkit: those of a mode over its root where no others were passed. */
export function resolvePermissions(permissions: ToolkitOptions['permissions'], root: string): Permissions {
  if (permissions === undefined || typeof permissions === 'string')
    return createPermissions({ mode: permissions ?? 'default', root });
  return permissions;
}

/**
 * Folders that permissions were given while the toolkit ran are served from the next turn on; one that is gone by then
 * is not, and ends no turn.
 */
export function addDirectories(permissions: Permissions, disk: HostFiles): void {
  if (!hasRules(permissions)) return;
  for (const directory of permissions.takeDirectories()) {
    try {
      disk.addRoot(directory);
    } catch {
      // Nothing in it can be reached, which the first call that tries will say.
    }
  }
}

/** Whether permissions are made of rules. */
export function hasRules(permissions: Permissions): permissions is RulePermissions {
  return 'takeDirectories' in permissions;
}
