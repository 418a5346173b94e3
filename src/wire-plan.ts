import type { InnerPermissions } from './access/inner-permissions.js';
import { isRulePermissions } from './access/is-rule-permissions.js';
import type { Caller } from './core/context.js';
import type { Permissions } from './host/permissions.js';
import type { PlanMode } from './host/plan-mode.js';

/** Plan mode as it stands for a caller. */
export type PlanOf = (caller: Caller) => Pick<PlanMode, 'isActive' | 'exit'>;

/** Plan mode as tools mean it, whichever way it was set: by the switch, by the mode of permissions, or by that of those inside which the session of the caller asked. */
export function wirePlan(planMode: PlanMode, permissions: Permissions, inner: InnerPermissions): PlanOf {
  return ({ sessionId }) => ({
    get isActive() {
      return planMode.isActive || permissions.mode === 'plan' || inner.isPlanning(sessionId);
    },
    exit: () => {
      planMode.exit();
      if (permissions.mode === 'plan' && isRulePermissions(permissions)) permissions.setMode('default');
      inner.endPlan(sessionId);
    },
  });
}
