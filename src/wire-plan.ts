import type { RulePermissions } from './access/create-permissions.js';
import type { Permissions } from './host/permissions.js';
import type { PlanMode } from './host/plan-mode.js';

/** Plan mode as tools and hosts mean it, whichever way it was set: by the switch, or by the mode of permissions. */
export function wirePlan(planMode: PlanMode, permissions: Permissions): PlanMode {
  return {
    get isActive() {
      return planMode.isActive || permissions.mode === 'plan';
    },
    get queue() {
      return planMode.queue;
    },
    enter: () => planMode.enter(),
    exit: () => {
      planMode.exit();
      if (permissions.mode === 'plan' && isRulePermissions(permissions)) permissions.setMode('default');
    },
    add: (call) => planMode.add(call),
    clear: () => planMode.clear(),
  };
}

/** True for permissions by rules, and for what has their methods. */
export function isRulePermissions(permissions: Permissions): permissions is RulePermissions {
  return 'setMode' in permissions && 'takeDirectories' in permissions;
}
