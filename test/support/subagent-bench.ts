import { defaultLimits } from 'toolwright';
import { SubagentManager, TaskManager } from 'toolwright/tools';
import { onTestFinished } from 'vitest';
import type { CallScope } from '../../src/core/context.js';
import type { Limits } from '../../src/core/limits.js';
import type { ToolkitSubagents } from '../../src/core/subagent.js';
import type { SubagentRequest, SubagentResult } from '../../src/ports/agents/subagents.js';

/** The behaviour of a subagent, by its prompt or name. */
export type Script = (request: SubagentRequest, scope: CallScope) => Promise<string> | string;

/** A manager over scripted subagents, which is disposed after the test. */
export function subagentBench(script: Script, limits: Partial<Limits['subagents']> = {}) {
  const tasks = new TaskManager({ limits: defaultLimits.tasks, stopGraceMs: 1_000, maxLogChars: 10_000 });
  const ends: string[] = [];
  const manager = new SubagentManager({
    spawner: () => ({
      spawn: async (request, scope): Promise<SubagentResult> => ({ output: await script(request, scope) }),
    }),
    limits: { ...defaultLimits.subagents, ...limits },
    maxDepth: () => limits.maxDepth ?? 1,
    graceMs: 1_000,
    tasks,
    definitions: () => [],
    openWorktree: () => Promise.reject(new Error('no worktrees here')),
    onEnd: ({ agentId, state }) => ends.push(`${agentId} ${state}`),
  });
  onTestFinished(() => manager.dispose());
  const agents: Pick<ToolkitSubagents, 'spawn' | 'cancel' | 'send' | 'list'> = {
    spawn: (task, { caller = { sessionId: 'default' } } = {}) => manager.start(task, caller),
    cancel: (id) => manager.cancel(id),
    send: (id, message) => manager.deliver(id, message),
    list: () => manager.list(),
  };
  return { manager, agents, tasks, ends };
}

/** Resolves when a subagent is asked to end. */
export function aborted({ signal }: CallScope): Promise<string> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('stopped');
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
}

/** Waits for a message to a subagent. */
export async function nextMessage({ inbox }: SubagentRequest, { signal }: CallScope) {
  for (;;) {
    const [first, ...more] = inbox();
    if (first !== undefined) return [first, ...more];
    if (signal.aborted) throw new Error('stopped');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
