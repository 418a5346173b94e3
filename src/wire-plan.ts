import type { InnerPermissions } from './access/inner-permissions.js';
import { isRulePermissions } from './access/is-rule-permissions.js';
import type { Permissions } from './host/permissions.js';
import type { PlanMode } from './host/plan-mode.js';

/** Plan mode as tools mean it, whichever way it was set: by the switch, or by the mode of permissions, of those inside others too. */
export function wirePlan(planMode: PlanMode, permissions: Permissions, inner: InnerPermissions): PlanMode {
  return {
    get isActive() {
      return planMode.isActive || permissions.mode === 'plan' || inner.isPlanning;
    },
    get queue() {
      return planMode.queue;
    },
    enter: () => planMode.enter(),
    exit: () => {
      planMode.exit();
      if (permissions.mode === 'plan' && isRulePermissions(permissions)) permissions.setMode('default');
      inner.endPlan();
    },
    add: (call) => planMode.add(call),
    clear: () => planMode.clear(),
  };
}
