import type { Caller } from '../core/context.js';
import type { QueuedCall } from '../core/registry/toolkit.js';
import type { Permissions } from '../ports/permissions.js';
import type { PlanMode } from '../ports/planning/plan-mode.js';

/**
 * Plan mode of one session as tools mean it, whichever way it was set: by the switch of the session, or by the mode of
 * permissions.
 */
export class WiredPlan implements PlanMode {
  readonly #own: PlanMode;
  readonly #permissions: Permissions;
  readonly #sessions: () => readonly string[];

  /** `sessions` answers those that had a turn. */
  constructor(planMode: PlanMode, permissions: Permissions, caller: Caller, sessions: () => readonly string[]) {
    this.#own = planMode.of?.(caller) ?? planMode;
    this.#permissions = permissions;
    this.#sessions = sessions;
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

  /** The mode of permissions is one for all sessions: where it was plan, the others go on planning by themselves. */
  exit(): void {
    if (this.#permissions.mode === 'plan') {
      for (const sessionId of this.#sessions()) this.#own.of?.({ sessionId }).enter();
      this.#permissions.setMode?.('default');
    }
    this.#own.exit();
  }

  add(call: QueuedCall): void {
    this.#own.add(call);
  }

  clear(): void {
    this.#own.clear();
  }

  of(caller: Caller): PlanMode {
    return new WiredPlan(this.#own, this.#permissions, caller, this.#sessions);
  }
}
