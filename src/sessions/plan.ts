import type { ToolCall, ToolRun } from '../core/call.js';
import type { Caller } from '../core/context.js';
import type { QueuedCall } from '../core/registry/toolkit.js';
import { quietly } from '../core/support/listeners.js';
import type { Permissions } from '../ports/permissions.js';
import type { PlanMode } from '../ports/planning/plan-mode.js';

/**
 * The plan mode of one session as tools see it: active while the session plans or the permission mode is `plan`.
 * `turns` lists the sessions that have run at least one turn.
 */
export function sessionPlan(
  planMode: PlanMode,
  permissions: Permissions,
  caller: Caller,
  turns: { sessions(): readonly string[] },
): PlanMode & { of(caller: Caller): PlanMode } {
  const own = planMode.of?.(caller) ?? planMode;
  return {
    get isActive() {
      return own.isActive || permissions.mode === 'plan';
    },
    get queue() {
      return own.queue;
    },
    enter: () => own.enter(),
    // All sessions share one permission mode. When one session leaves plan mode, the permission mode is reset, and the
    // plan mode of each other session is turned on so that those sessions keep planning.
    exit: () => {
      if (permissions.mode === 'plan') {
        for (const sessionId of turns.sessions()) own.of?.({ sessionId }).enter();
        permissions.setMode?.('default');
      }
      own.exit();
    },
    add: (call) => own.add(call),
    clear: () => own.clear(),
    of: (other) => sessionPlan(own, permissions, other, turns),
  };
}

/**
 * Takes the calls out of the queue and runs them. Calls that never started, because the run was aborted or a refusal
 * ended it, are put back at the front of the queue. If `execute` rejects, all calls are put back. If the queue rejects
 * a call, that call is lost from the queue, but its result reports that it never ran.
 */
export async function runPlan(
  planMode: Pick<PlanMode, 'queue' | 'add' | 'clear'>,
  execute: (calls: readonly ToolCall[]) => Promise<ToolRun>,
): Promise<ToolRun> {
  const queued = [...planMode.queue];
  planMode.clear();
  let wasStarted = (_index: number) => false;
  try {
    const run = await execute(queued.map(({ callId, tool, input }) => ({ id: callId, name: tool, input })));
    wasStarted = (index) => {
      const result = run.results[index];
      return result === undefined || result.ok || result.error.code !== 'cancelled';
    };
    return run;
  } finally {
    const left = queued.filter((_, index) => !wasStarted(index));
    if (left.length > 0) putInFront(left, planMode);
  }
}

/** Never throws, so that a failing queue does not hide the results of the calls that ran. */
function putInFront(calls: readonly QueuedCall[], planMode: Pick<PlanMode, 'queue' | 'add' | 'clear'>): void {
  const newer: QueuedCall[] = [];
  quietly(() => {
    const queue = [...planMode.queue];
    planMode.clear();
    newer.push(...queue);
  });
  for (const call of [...calls, ...newer]) quietly(() => planMode.add(call));
}
