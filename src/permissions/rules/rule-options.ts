import { didYouMean } from '../../core/support/near-names.js';
import { assertOptions, kindOf, type OptionKinds } from '../../core/support/option-kinds.js';
import type { PermissionMode } from '../../ports/permissions.js';

/** The options that decide without a person. */
export interface RuleOptions {
  /**
   * Decides about calls that no rule matches. Default `default`. `acceptEdits` allows edits inside the workspace; if a
   * request does not say whether a file is inside, `root` and the added folders decide.
   */
  readonly mode?: PermissionMode | undefined;
  /** Rules such as `Edit(src/**)` for calls that run without asking. Default none. */
  readonly allow?: readonly string[] | undefined;
  /** Rules for calls that a person is asked about, in every mode. Default none. */
  readonly ask?: readonly string[] | undefined;
  /** Rules for calls that never run. Default none. */
  readonly deny?: readonly string[] | undefined;
  /** The folder where relative path patterns start if the call does not set it. Default: the current folder. */
  readonly root?: string | undefined;
  /**
   * Which calls run without a question: with `true` those of the marked tools and all of risk none, with `'low-risk'`
   * those of risk low too, with `false` none. Default true.
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

/** Throws a TypeError if the value is not lists of rules by kind. */
export function checkChanges(what: string, changes: RuleChanges): RuleChanges {
  assertOptions(what, changes, changeKinds);
  return changes;
}

/** Throws a TypeError, with similar names, for an unknown mode. */
export function checkMode(mode: PermissionMode): PermissionMode {
  if (Object.hasOwn(modes, mode)) return mode;
  const names = Object.keys(modes);
  const next = didYouMean(String(mode), names) || ` The modes are ${names.join(', ')}.`;
  throw new TypeError(`Permission mode ${JSON.stringify(mode)} is unknown.${next}`);
}
