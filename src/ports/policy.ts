import type { Caller } from '../core/context.js';
import { withHandledRejection } from '../core/support/check-values.js';
import type { Tool } from '../core/tool.js';

/** Decides which tools a caller is offered. The same function makes the list for the model and checks each call. */
export interface Policy {
  offers(tool: Tool, caller: Caller): boolean;
  /** The reason for the decision, as one line for people. */
  explain(tool: Tool, caller: Caller): string;
}

/** Whether a policy offers a tool. An error, a promise, or any value other than `true` means no. */
export function isOffered(policy: Policy, tool: Tool, caller: Caller): boolean {
  try {
    return withHandledRejection(policy.offers(tool, caller)) === true;
  } catch {
    return false;
  }
}

/** The reason of a policy for not offering a tool. */
export function whyNotOffered(policy: Policy, tool: Tool, caller: Caller): string {
  try {
    const reason = withHandledRejection(policy.explain(tool, caller));
    if (typeof reason === 'string' && reason.trim() !== '') return reason;
  } catch {
    // A failed explanation does not change the decision.
  }
  return 'the policy gives no reason';
}
