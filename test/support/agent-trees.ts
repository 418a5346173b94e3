import fc from 'fast-check';
import { expect, vi } from 'vitest';
import type { Caller } from '../../src/core/context.js';
import type { SubagentResult } from '../../src/ports/agents/subagents.js';
import { agentWorld, task } from './agent-world.js';

const limits = { maxConcurrent: 8, maxDepth: 3, maxChildren: 5, maxTotal: 50, settleMs: 5 };

/** The events of a tree: the behaviour of each agent in turn, and the actions from outside with their times. */
export const trees = fc.record({
  behaviours: fc.array(fc.nat(99), { minLength: 5, maxLength: 60 }),
  blows: fc.array(fc.record({ afterMs: fc.nat(40), kind: fc.nat(5), at: fc.nat(50) }), { maxLength: 12 }),
});

type Tree = typeof trees extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Every agent starts twenty others, in the foreground or background. Then it ends, fails, hangs, returns an invalid
 * answer or ignores its abort. Meanwhile agents are cancelled, steered and aborted. Needs fake timers.
 */
export async function keepsLimits({ behaviours, blows }: Tree): Promise<void> {
  // Packages that other tests loaded into this process may have timers.
  const timers = vi.getTimerCount();
  let at = 0;
  const next = () => behaviours[at++ % behaviours.length] ?? 0;
  const refusals = new Set<unknown>();
  const aborts = [new AbortController(), new AbortController()];
  const check = () => {
    const active = manager.list().filter(({ state }) => state === 'running' || state === 'spawning');
    expect(active.length).toBeLessThanOrEqual(limits.maxConcurrent);
    for (const { depth, sessionId, parentId } of active) {
      expect(depth).toBeLessThanOrEqual(limits.maxDepth);
      const siblings = active.filter((other) => other.sessionId === sessionId && other.parentId === parentId);
      expect(siblings.length).toBeLessThanOrEqual(limits.maxChildren);
      // No child outlives its parent.
      if (parentId !== undefined) expect(active.map(({ agentId }) => agentId)).toContain(parentId);
    }
    for (const sessionId of ['s0', 's1'])
      expect(manager.list().filter((one) => one.sessionId === sessionId).length).toBeLessThanOrEqual(limits.maxTotal);
  };
  const startTwenty = (caller: Caller, signal: AbortSignal): Promise<unknown>[] =>
    Array.from({ length: 20 }, async () => {
      try {
        if (next() % 2 === 0) manager.start(task, caller);
        else await manager.run(task, { caller, signal });
      } catch (error) {
        refusals.add((error as { code?: unknown }).code);
      } finally {
        check();
      }
    });
  const spawn = async (_request: unknown, { caller, signal }: { caller: Caller; signal: AbortSignal }) => {
    const started = startTwenty(caller, signal);
    const kind = next() % 7;
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    if (kind === 0) throw new Error('the model is down');
    if (kind === 1) return { output: 7 } as unknown as SubagentResult;
    if (kind === 2) await Promise.race([Promise.all(started), aborted]);
    // Hangs until it is aborted.
    if (kind === 3) await aborted;
    // Ignores its abort for longer than the grace period.
    if (kind === 4) await wait(500);
    if (kind >= 5) await Promise.race([wait(next()), aborted]);
    return { output: 'done' };
  };
  const { manager, tasks } = agentWorld({ spawn }, limits, { onGone: check });
  const roots = aborts.flatMap(({ signal }, index) => startTwenty({ sessionId: `s${index}` }, signal));
  for (const { afterMs, kind, at: which } of blows) {
    await vi.advanceTimersByTimeAsync(afterMs);
    const all = manager.list();
    const id = all[which % Math.max(1, all.length)]?.agentId ?? 'agent_x';
    if (kind === 0) void manager.cancel(id).catch(() => {});
    if (kind === 1) void manager.cancel(which % 2 === 0 ? 'all' : 'last').catch(() => {});
    if (kind === 2) void manager.steer(id, 'another way').catch(() => {});
    if (kind === 3) aborts[which % 2]?.abort();
    if (kind === 4) void tasks.stop(all.find(({ taskId }) => taskId !== undefined)?.taskId ?? '').catch(() => {});
    if (kind === 5) void manager.endSession(`s${which % 2}`);
    check();
  }
  await vi.advanceTimersByTimeAsync(1_000);
  const ended = manager.cancel('all');
  await vi.advanceTimersByTimeAsync(1_000);
  await ended;
  await Promise.all(roots);
  expect(manager.list().filter(({ state }) => state === 'running' || state === 'spawning')).toEqual([]);
  expect(tasks.list().filter(({ state }) => state === 'running')).toEqual([]);
  expect([...refusals].filter((code) => code !== 'limit_reached' && code !== 'cancelled')).toEqual([]);
  await manager.dispose();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBeLessThanOrEqual(timers);
}
