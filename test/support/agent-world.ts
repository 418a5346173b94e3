import { defaultLimits } from 'toolwright';
import { SubagentManager, TaskManager } from 'toolwright/tools';
import type { SubagentEnd, SubagentManagerOptions } from '../../src/agents/subagent-manager-options.js';
import type { Caller, CallScope } from '../../src/core/context.js';
import type { LimitOverrides } from '../../src/core/limits.js';
import type { SubagentRequest, SubagentResult, SubagentSpawner } from '../../src/ports/agents/subagents.js';

/** The main agent of a session. */
export const main: Caller = { sessionId: 's1' };

/** A task whose content does not matter. */
export const task = { description: 'look around', prompt: 'Look around.' };

/** A subagent that is ended from outside. It also ends when it is aborted, unless it is `deaf`. */
export interface HeldSubagent {
  readonly request: SubagentRequest;
  readonly scope: CallScope;
  end(result?: unknown): void;
  fail(reason: unknown): void;
}

/** A spawner whose subagents wait. They are listed in the order of their runs. */
export function heldSpawner({ isDeaf = false } = {}): SubagentSpawner & { readonly runs: HeldSubagent[] } {
  const runs: HeldSubagent[] = [];
  return {
    runs,
    types: { reviewer: 'reviews code' },
    models: ['small'],
    spawn: (request, scope) =>
      new Promise<SubagentResult>((resolve, reject) => {
        const end = (result: unknown = { output: 'done' }) => resolve(result as SubagentResult);
        runs.push({ request, scope, end, fail: reject });
        if (!isDeaf) scope.signal.addEventListener('abort', () => reject(scope.signal.reason), { once: true });
      }),
  };
}

/** A manager over a spawner, with its tasks and the announced ends. */
export function agentWorld(
  spawner: SubagentSpawner | undefined,
  limits: LimitOverrides['subagents'] = {},
  options: Partial<SubagentManagerOptions> = {},
) {
  const tasks = new TaskManager({ limits: defaultLimits.tasks, stopGraceMs: 1_000, maxLogChars: 1_000 });
  const ends: SubagentEnd[] = [];
  const all = { ...defaultLimits.subagents, ...limits } as SubagentManagerOptions['limits'];
  const manager = new SubagentManager({
    spawner: () => spawner,
    limits: all,
    maxDepth: () => all.maxDepth,
    graceMs: 100,
    tasks,
    definitions: () => [],
    openWorktree: () => Promise.reject(new Error('no git here')),
    onEnd: (end) => ends.push(end),
    ...options,
  });
  return { manager, tasks, ends };
}
