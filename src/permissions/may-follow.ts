import type { Caller } from '../core/context.js';
import type { PermissionRequest, Permissions } from '../ports/permissions.js';

/**
 * Whether a page that a call of a tool was allowed to fetch may lead to another address without a call of its own: not where a
 * rule denies that address or wants it asked, nor where only `check` could tell.
 */
export function mayFollow(permissions: Permissions, tool: string, url: string, caller: Caller): boolean {
  const request: PermissionRequest = {
    callId: 'redirect',
    tool,
    input: { url },
    sideEffect: 'network',
    risk: 'high',
    title: tool,
    warnings: [],
    suggestions: [],
    targets: [{ kind: 'url', url }],
  };
  const decision = permissions.decide?.(request, caller);
  return decision?.behavior === 'allow' || (decision?.behavior === 'ask' && decision.question?.source === 'mode');
}
