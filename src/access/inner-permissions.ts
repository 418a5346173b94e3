import { accessNumbers } from '../core/limits.js';
import type { Permissions } from '../host/permissions.js';
import { isRulePermissions } from './is-rule-permissions.js';

/**
 * Permissions that decide for others which only pass on `check`. What they say besides holds for the whole toolkit: the files that their
 * rules hide, plan mode, added folders. Those that were asked last are known, as many as any program has at a time.
 */
export class InnerPermissions {
  readonly #known = new Set<Permissions>();

  /** Takes down that these permissions were asked. */
  readonly add = (inner: Permissions): void => {
    this.#known.delete(inner);
    this.#known.add(inner);
    for (const oldest of this.#known) {
      if (this.#known.size <= accessNumbers.maxInnerPermissions) return;
      this.#known.delete(oldest);
    }
  };

  get all(): readonly Permissions[] {
    return [...this.#known];
  }

  get isPlanning(): boolean {
    return this.all.some(({ mode }) => mode === 'plan');
  }

  hidesPath(path: string, root: string, from: 'everything' | 'searches'): boolean {
    for (const inner of this.#known) if (inner.hidesPath?.(path, root, from) === true) return true;
    return false;
  }

  /** Goes back to mode default where the mode is plan. */
  endPlan(): void {
    for (const inner of this.#known) if (inner.mode === 'plan' && isRulePermissions(inner)) inner.setMode('default');
  }
}
