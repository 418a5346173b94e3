import {
  assertArgument,
  assertOptions,
  having,
  kindOf,
  type OptionKind,
  type OptionKinds,
} from '../core/support/check-values.js';
import type { PermissionMode, Permissions } from '../ports/permissions.js';
import { sharePrompts } from './prompt-queue.js';

/**
 * Wraps permissions: `overrides` replace the members of `inner` with the same names. All other members stay, including
 * the mode and the hidden paths. Your own `check` is called for each call, except calls that are queued or denied in
 * plan mode. Pass the whole request to `inner.check`. If the decision is `behavior: 'ask'`, return that decision
 * unchanged, so that the question is asked.
 *
 * @example
 * const inner = createPermissions({ mode: 'acceptEdits' });
 * const logged = wrapPermissions(inner, {
 *   check: async (request, scope) => {
 *     const decision = await inner.check(request, scope);
 *     console.log(request.title, decision.behavior);
 *     return decision;
 *   },
 * });
 */
export function wrapPermissions<Inner extends Permissions>(inner: Inner, overrides: Partial<Permissions>): Inner {
  const write = 'wrapPermissions(createPermissions(…), { check })';
  assertArgument('wrapPermissions takes permissions first', inner, having('permissions', 'check'), write);
  assertOptions('wrapPermissions', overrides, overrideKinds);
  const own: { -readonly [Name in keyof Permissions]?: Permissions[Name] } = { ...overrides };
  // `decide` leaves each call to the new `check`. Only in plan mode, `decide` returns a deny of `inner`, so that a
  // denied call is refused at once and not queued with the plan.
  if (overrides.check !== undefined && !('decide' in overrides))
    own.decide = (request, caller) => {
      const decided = request.isPlanned === true ? inner.decide?.(request, caller) : undefined;
      return decided?.behavior === 'deny' ? decided : undefined;
    };
  // The target is a new object, since a proxy of a frozen object cannot override its properties.
  const wrapped = new Proxy(Object.create(Object.getPrototypeOf(inner) as object | null) as Inner, {
    get: (_target, key) => {
      if (Object.hasOwn(own, key)) return own[key as keyof Permissions];
      const value: unknown = Reflect.get(inner, key, inner);
      return typeof value === 'function' ? (value.bind(inner) as unknown) : value;
    },
    has: (_target, key) => Object.hasOwn(own, key) || Reflect.has(inner, key),
  });
  sharePrompts(wrapped, inner);
  return wrapped;
}

const { callback, text } = kindOf;
const overrideKinds: OptionKinds<Permissions> = {
  ...{ check: callback, decide: callback, onAsk: callback, classify: callback, remember: callback },
  ...{ hidesPath: callback, endSession: callback, setMode: callback, version: text },
  mode: text as OptionKind<PermissionMode>,
};
