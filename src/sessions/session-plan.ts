import type { ToolCall, ToolRun } from '../core/call.js';
import type { Caller } from '../core/context.js';
import type { QueuedCall } from '../core/registry/toolkit.js';
import { quietly } from '../core/support/listeners.js';
import type { Permissions } from '../ports/permissions.js';
import type { PlanMode } from '../ports/planning/plan-mode.js';

/** The plan mode of one session as tools see it: its own, or the permission mode `plan`. */
export class SessionPlan implements PlanMode {
  readonly #own: PlanMode;
  readonly #permissions: Permissions;
  readonly #turns: { sessions(): readonly string[] };

  /** `turns` lists the sessions that have run at least one turn. */
  constructor(planMode: PlanMode, permissions: Permissions, caller: Caller, turns: { sessions(): readonly string[] }) {
    this.#own = planMode.of?.(caller) ?? planMode;
    this.#permissions = permissions;
    this.#turns = turns;
  }

  get isActive(): boolean {
    return this.#own.isActive || this.#permissions.mode === 'plan';
  }

  get queue(): readonly QueuedCall[] {
    return this.#own.queue;
  }

  enter(): void {
    this.#own.enter();
  }

  /**
   * All sessions share one permission mode. When one session leaves plan mode, the permission mode is reset, and the
   * plan mode of each other session is turned on so that those sessions keep planning.
   */
  exit(): void {
    if (this.#permissions.mode === 'plan') {
      for (const sessionId of this.#turns.sessions()) this.#own.of?.({ sessionId }).enter();
      this.#permissions.setMode?.('default');
    }
    this.#own.exit();
  }

  add(call: QueuedCall): void {
    this.#own.add(call);
  }

  clear(): void {
    this.#own.clear();
  }

  of(caller: Caller): PlanMode {
    return new SessionPlan(this.#own, this.#permissions, caller, this.#turns);
  }
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
