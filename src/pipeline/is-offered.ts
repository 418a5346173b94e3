import type { Caller } from '../core/context.js';
import type { Tool } from '../core/tool.js';
import type { Policy } from '../host/policy.js';
import { isThenable } from './supervisor.js';

/** Whether a policy offers a tool to a caller: by `true` alone. One that throws, answers later or answers anything else does not. */
export function isOffered(policy: Policy | undefined, tool: Tool, caller: Caller): boolean {
  return policy === undefined || answerOf(() => policy.offers(tool, caller)) === true;
}

/** Why a policy does not offer a tool, in its own words if it has any. */
export function whyNotOffered(policy: Policy | undefined, tool: Tool, caller: Caller): string {
  const reason = answerOf(() => policy?.explain(tool, caller));
  return typeof reason === 'string' && reason.trim() !== '' ? reason : 'the policy gives no reason';
}

function answerOf(ask: () => unknown): unknown {
  try {
    const answer = ask();
    if (isThenable(answer)) Promise.resolve(answer).catch(() => {});
    return answer;
  } catch {
    return undefined;
  }
}
