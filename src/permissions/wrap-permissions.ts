import {
  assertArgument,
  assertOptions,
  having,
  kindOf,
  type OptionKind,
  type OptionKinds,
} from '../core/support/option-kinds.js';
import type { PermissionMode, Permissions } from '../ports/permissions.js';
import { sharePrompts } from './prompt-queue.js';

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
  const write = 'wrapPermissions(createPermissions(…), { check })';
  assertArgument('wrapPermissions takes permissions first', inner, having('permissions', 'check'), write);
  assertOptions('wrapPermissions', overrides, overrideKinds);
  const own: { -readonly [Name in keyof Permissions]?: Permissions[Name] } = { ...overrides };
  // Each call goes to the new check, but for what a deny rule refuses while plan mode would queue it.
  if (overrides.check !== undefined && !('decide' in overrides))
    own.decide = (request, caller) => {
      const decided = request.isPlanned === true ? inner.decide?.(request, caller) : undefined;
      return decided?.behavior === 'deny' ? decided : undefined;
    };
  // Of an object of its own, since a proxy of one that is frozen may answer nothing else than it does.
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
