import type { Permissions } from '../host/permissions.js';
import type { RulePermissions } from './create-permissions.js';

/** Permissions for a plan that was approved: approving it was the consent, so only what a deny rule, an ask rule or the tool itself objects to is decided again. */
export function approvedPlan(permissions: Permissions): Permissions {
  const explain = 'explain' in permissions ? (permissions as RulePermissions).explain : undefined;
  return {
    check: (request, scope) => permissions.check(request, scope),
    ...(permissions.hidesPath === undefined ? {} : { hidesPath: permissions.hidesPath }),
    decide: (request, caller) => {
      const source = explain?.(request, caller);
      if (source?.behavior === 'ask' && source.source === 'mode') return { behavior: 'allow' };
      return permissions.decide?.(request, caller);
    },
  };
}
