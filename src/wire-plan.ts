import type { Caller } from './core/context.js';
import type { QueuedCall } from './core/registry/toolkit.js';
import type { Permissions } from './host/permissions.js';
import type { PlanMode } from './host/planning/plan-mode.js';

/**
 * Plan mode of one session as tools mean it, whichever way it was set: by the switch of the session, or by the mode of
 * permissions.
 */
export class WiredPlan implements PlanMode {
  readonly #own: PlanMode;
  readonly #permissions: Permissions;

  constructor(planMode: PlanMode, permissions: Permissions, caller: Caller) {
    this.#own = planMode.of?.(caller) ?? planMode;
    this.#permissions = permissions;
  }

  get isActive(): boolean {
    return this.#own.isActive || this.#permissions.mode === 'plan';
  }

  get queue(): readonly QueuedCall[] {
    return this.#own.queue;
  }

  enter(): void {
    this.#own.enter();
  }

  exit(): void {
    this.#own.exit();
    if (this.#permissions.mode === 'plan') this.#permissions.setMode?.('default');
  }

  add(call: QueuedCall): void {
    this.#own.add(call);
  }

  clear(): void {
    this.#own.clear();
  }

  of(caller: Caller): PlanMode {
    return new WiredPlan(this.#own, this.#permissions, caller);
  }
}
