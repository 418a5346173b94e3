import { didYouMean } from '../../core/support/near-names.js';
import { assertOptions, kindOf, type OptionKinds } from '../../core/support/option-kinds.js';
import type { PermissionMode } from '../../ports/permissions.js';

/** What decides without asking anybody. */
export interface RuleOptions {
  /**
   * What happens to calls that no rule decides. Default `default`. `acceptEdits` is for what lies inside the workspace;
   * of a request that does not say whether it does, `root` and the added folders decide.
   */
  readonly mode?: PermissionMode | undefined;
  /** Rules such as `Edit(src/**)` for calls that run without asking. Default none. */
  readonly allow?: readonly string[] | undefined;
  /** Rules for calls that somebody is asked about, in every mode. Default none. */
  readonly ask?: readonly string[] | undefined;
  /** Rules for calls that never run. Default none. */
  readonly deny?: readonly string[] | undefined;
  /** Where relative path patterns start when the call does not say. Default: the current folder. */
  readonly root?: string | undefined;
  /**
   * What runs without asking: `true` the marked tools and every call of risk none, `'low-risk'` those of risk low too,
   * `false` nothing. Default true.
   */
  readonly autoAllow?: boolean | 'low-risk' | undefined;
}

/** Rules to add or remove, by kind. */
export interface RuleChanges extends Pick<RuleOptions, 'allow' | 'ask' | 'deny'> {}

const modes: Readonly<Record<PermissionMode, true>> = {
  default: true,
  acceptEdits: true,
  plan: true,
  dontAsk: true,
  bypassPermissions: true,
};
const changeKinds: OptionKinds<RuleChanges> = { allow: kindOf.texts, ask: kindOf.texts, deny: kindOf.texts };

/** Throws a TypeError for what is no lists of rules by kind. */
export function checkChanges(what: string, changes: RuleChanges): RuleChanges {
  assertOptions(what, changes, changeKinds);
  return changes;
}

/** Throws a TypeError, with near names, for what is no mode. */
export function checkMode(mode: PermissionMode): PermissionMode {
  if (Object.hasOwn(modes, mode)) return mode;
  const names = Object.keys(modes);
  const next = didYouMean(String(mode), names) || ` The modes are ${names.join(', ')}.`;
  throw new TypeError(`Permission mode ${JSON.stringify(mode)} is unknown.${next}`);
}
