import type { Caller } from '../core/context.js';
import { heard } from '../core/support/is-thenable.js';
import type { Tool } from '../core/tool.js';
import type { Policy } from './policy.js';

/**
 * Whether a policy offers a tool to a caller: by `true` alone. One that throws, answers later or answers anything else
 * does not.
 */
export function isOffered(policy: Policy, tool: Tool, caller: Caller): boolean {
  try {
    return heard(policy.offers(tool, caller)) === true;
  } catch {
    return false;
  }
}

/** Why a policy does not offer a tool, in its own words if it has any. */
export function whyNotOffered(policy: Policy, tool: Tool, caller: Caller): string {
  try {
    const reason = heard(policy.explain(tool, caller));
    if (typeof reason === 'string' && reason.trim() !== '') return reason;
  } catch {
    // One that cannot say why has decided all the same.
  }
  return 'the policy gives no reason';
}
