import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../core/context.js';
import type { PermissionDecision } from '../core/permission-question.js';
import { denial, readDecision } from '../ports/parse-decision.js';
import type { PermissionMode, PermissionRequest, Permissions } from '../ports/permissions.js';
import { createPermissions, hasRules } from './create-permissions.js';
import { wrapPermissions } from './wrap-permissions.js';

/** The id, description and mode of a subagent that makes a call. */
export interface AskingAgent {
  readonly id: string;
  readonly task: { readonly description: string; readonly mode?: string | undefined };
}

/**
 * Permissions for subagents. The modes of the calling subagent and of the subagents above it restrict what `inner`
 * allows, and a question names the subagent that asks. `lineOf` returns these subagents, the caller first.
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
  /** Returns the first deny of the modes, else the first ask; undefined if every mode allows the call. */
  const objection = (line: readonly AskingAgent[], request: PermissionRequest, caller: Caller) => {
    const { sideEffect } = request;
    const modes = line.flatMap(({ task: { mode } }) => mode ?? []);
    if (modes.length === 0) return undefined;
    // A call that an allow rule of `inner` matches counts as auto-allowed, so that no mode asks about it.
    const isAllowed = hasRules(inner) && inner.explain(request, caller).source === 'allow';
    const known = isAllowed ? { ...request, autoAllowed: true } : request;
    const said = modes.map((mode) =>
      mode === 'plan' && sideEffect !== 'none' && sideEffect !== 'readonly'
        ? planModeDenial
        : ofMode(mode === 'plan' ? 'default' : mode).decide?.(known, caller),
    );
    return said.find((one) => one?.behavior === 'deny') ?? said.find((one) => one?.behavior === 'ask');
  };
  const narrowed = (given: PermissionDecision, request: PermissionRequest, caller: Caller): PermissionDecision => {
    const line = lineOf(caller);
    const [agent] = line;
    const decision = agent && readDecision(given);
    // An invalid decision is returned as it is, and the caller of this function refuses it.
    if (agent === undefined || decision === undefined || decision.behavior === 'deny') return given;
    const against = objection(line, request, caller);
    if (against?.behavior === 'deny') return against;
    const asking = decision.behavior === 'ask' ? decision : against;
    if (asking?.behavior !== 'ask') return given;
    if (decision.behavior === 'allow') {
      // After a rewrite, the pipeline calls `check` again with the new input, and the modes apply then. So this first
      // decision to allow is returned unchanged.
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
      // Checked first, so that no person is asked about a call that a mode refuses.
      const against = objection(line, request, caller);
      if (against?.behavior === 'deny') return against;
      const shown = { ...request, agent: shownAs(agent), title: `${request.title} (for ${agent.id})` };
      return narrowed(await inner.check(shown, scope), request, caller);
    },
  });
}

const planModeDenial = denial(
  'You are in plan mode and may only use read-only tools. Describe in your final message the changes that you would make.',
);

function shownAs({ id, task: { description } }: AskingAgent): { readonly id: string; readonly description: string } {
  return { id, description };
}
