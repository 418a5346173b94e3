import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../core/context.js';
import type { PermissionDecision } from '../core/permission-question.js';
import type { PermissionMode, PermissionRequest, Permissions } from '../ports/permissions.js';
import { denial, readDecision } from '../ports/read-decision.js';
import { createPermissions, hasRules } from './create-permissions.js';
import { wrapPermissions } from './wrap-permissions.js';

/** A subagent as permissions see it. */
export interface AskingAgent {
  readonly id: string;
  readonly task: { readonly description: string; readonly mode?: string | undefined };
}

/**
 * Permissions that know subagents: the modes of those that a caller is, or is below, narrow what `inner` decides, and
 * a question says which of them asks. `lineOf` answers them, nearest first.
 */
export function agentPermissions(
  inner: Permissions,
  root: string,
  lineOf: (caller: Caller) => readonly AskingAgent[],
): Permissions {
  const byMode = new Map<string, Permissions>();
  const ofMode = (mode: string): Permissions => {
    const known = byMode.get(mode) ?? createPermissions({ mode: mode as PermissionMode, root });
    byMode.set(mode, known);
    return known;
  };
  /** What the modes say against a call, the strictest first. */
  const objection = (line: readonly AskingAgent[], request: PermissionRequest, caller: Caller) => {
    const { sideEffect } = request;
    const modes = line.flatMap(({ task: { mode } }) => mode ?? []);
    if (modes.length === 0) return undefined;
    // What a rule allows is asked about in no mode.
    const isAllowed = hasRules(inner) && inner.explain(request, caller).source === 'allow';
    const known = isAllowed ? { ...request, autoAllowed: true } : request;
    const said = modes.map((mode) =>
      mode === 'plan' && sideEffect !== 'none' && sideEffect !== 'readonly'
        ? onlyLooks
        : ofMode(mode === 'plan' ? 'default' : mode).decide?.(known, caller),
    );
    return said.find((one) => one?.behavior === 'deny') ?? said.find((one) => one?.behavior === 'ask');
  };
  const narrowed = (given: PermissionDecision, request: PermissionRequest, caller: Caller): PermissionDecision => {
    const line = lineOf(caller);
    const [agent] = line;
    const decision = agent && readDecision(given);
    // Who asks for the decision refuses what is none.
    if (agent === undefined || decision === undefined || decision.behavior === 'deny') return given;
    const against = objection(line, request, caller);
    if (against?.behavior === 'deny') return against;
    const asking = decision.behavior === 'ask' ? decision : against;
    if (asking?.behavior !== 'ask') return given;
    if (decision.behavior === 'allow') {
      // What was rewritten comes here again, as it is then.
      const { updatedInput } = decision;
      const isRewrite = updatedInput !== undefined && !isDeepStrictEqual(updatedInput, request.input);
      if (isRewrite && request.rewrittenBy !== 'permission') return decision;
    }
    return { ...asking, question: { ...asking.question, agent: shownAs(agent) } };
  };
  return wrapPermissions(inner, {
    decide: (request, caller) => {
      const decided = inner.decide?.(request, caller);
      return decided === undefined ? undefined : narrowed(decided, request, caller);
    },
    check: async (request, scope) => {
      const { caller } = scope;
      const line = lineOf(caller);
      const [agent] = line;
      if (agent === undefined) return await inner.check(request, scope);
      // Nobody is asked about what is refused anyhow.
      const against = objection(line, request, caller);
      if (against?.behavior === 'deny') return against;
      const shown = { ...request, agent: shownAs(agent), title: `${request.title} (for ${agent.id})` };
      return narrowed(await inner.check(shown, scope), request, caller);
    },
  });
}

const onlyLooks = denial('This agent only looks and plans. Say in your last message what you would do.');

function shownAs({ id, task: { description } }: AskingAgent): { readonly id: string; readonly description: string } {
  return { id, description };
}
