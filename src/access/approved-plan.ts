import type { PermissionRequest, Permissions } from '../host/permissions.js';

/**
 * Permissions for a plan that was approved: approving it was the consent, so only what a deny rule, an ask rule or the
 * tool itself objects to is decided again.
 */
export function approvedPlan(permissions: Permissions): Permissions {
  const approved = (request: PermissionRequest): PermissionRequest => ({ ...request, isApproved: true });
  return {
    check: (request, scope) => permissions.check(approved(request), scope),
    ...(permissions.hidesPath === undefined ? {} : { hidesPath: permissions.hidesPath }),
    decide: (request, caller) => permissions.decide?.(approved(request), caller),
  };
}
