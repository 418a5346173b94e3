import type { Permissions } from '../host/permissions.js';

/**
 * Puts something around permissions: `overrides` take the place of what `inner` has under the same name, everything
 * else stays what it is there, its mode and what it hides included. A `check` of your own sees each call; hand the
 * request on with all that is in it, and hand back an `ask` for the question to be put.
 *
 * @example const logged = wrapPermissions(createPermissions({ mode: 'acceptEdits' }), {
 *   check: async (request, scope) => {
 *     const decision = await inner.check(request, scope);
 *     console.log(request.title, decision.behavior);
 *     return decision;
 *   },
 * });
 */
export function wrapPermissions<Inner extends Permissions>(inner: Inner, overrides: Partial<Permissions>): Inner {
  const own: { -readonly [Name in keyof Permissions]?: Permissions[Name] } = { ...overrides };
  // Each call goes to the new check, but for what a deny rule refuses while plan mode would queue it.
  if (overrides.check !== undefined && !('decide' in overrides))
    own.decide = (request, caller) => {
      const decided = request.isPlanned === true ? inner.decide?.(request, caller) : undefined;
      return decided?.behavior === 'deny' ? decided : undefined;
    };
  return new Proxy(inner, {
    get: (target, key) => {
      if (Object.hasOwn(own, key)) return own[key as keyof Permissions];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    has: (target, key) => Object.hasOwn(own, key) || Reflect.has(target, key),
  });
}
