import type { InnerPermissions } from './access/inner-permissions.js';
import { isRulePermissions } from './access/is-rule-permissions.js';
import type { Caller } from './core/context.js';
import type { QueuedCall } from './core/registry/toolkit.js';
import type { Permissions } from './host/permissions.js';
import type { PlanMode } from './host/plan-mode.js';

/**
 * Plan mode of one session as tools mean it, whichever way it was set: by the switch of the session, by the mode of
 * permissions, or by that of those inside which the session asked.
 */
export class WiredPlan implements PlanMode {
  readonly #own: PlanMode;
  readonly #permissions: Permissions;
  readonly #inner: InnerPermissions;
  readonly #sessionId: string;

  constructor(planMode: PlanMode, permissions: Permissions, inner: InnerPermissions, caller: Caller) {
    this.#own = planMode.of?.(caller) ?? planMode;
    this.#permissions = permissions;
    this.#inner = inner;
    this.#sessionId = caller.sessionId;
  }

  get isActive(): boolean {
    return this.#own.isActive || this.#permissions.mode === 'plan' || this.#inner.isPlanning(this.#sessionId);
  }

  get queue(): readonly QueuedCall[] {
    return this.#own.queue;
  }

  enter(): void {
    this.#own.enter();
  }

  exit(): void {
    this.#own.exit();
    if (this.#permissions.mode === 'plan' && isRulePermissions(this.#permissions)) this.#permissions.setMode('default');
    this.#inner.endPlan(this.#sessionId);
  }

  add(call: QueuedCall): void {
    this.#own.add(call);
  }

  clear(): void {
    this.#own.clear();
  }

  of(caller: Caller): PlanMode {
    return new WiredPlan(this.#own, this.#permissions, this.#inner, caller);
  }
}
