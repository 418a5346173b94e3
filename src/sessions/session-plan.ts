import type { ToolCall, ToolRun } from '../core/call.js';
import type { Caller } from '../core/context.js';
import type { QueuedCall } from '../core/registry/toolkit.js';
import type { Permissions } from '../ports/permissions.js';
import type { PlanMode } from '../ports/planning/plan-mode.js';

/** Knows the sessions that had a turn. */
export interface SessionNames {
  sessions(): readonly string[];
}

/**
 * Plan mode of one session as tools mean it, whichever way it was set: by the switch of the session, or by the mode of
 * permissions.
 */
export class SessionPlan implements PlanMode {
  readonly #own: PlanMode;
  readonly #permissions: Permissions;
  readonly #turns: SessionNames;

  constructor(planMode: PlanMode, permissions: Permissions, caller: Caller, turns: SessionNames) {
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

  /** The mode of permissions is one for all sessions: where it was plan, the others go on planning by themselves. */
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
 * Takes the calls out of the queue and runs them. Those that never started, because the run was aborted or a refusal
 * ended it, are queued again, in front of what was queued meanwhile; all of them where `execute` rejects. A call that
 * the queue does not take back is not in it any more; its result says that it never ran.
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

/** Never throws, and tries each call: what ran has results, whatever becomes of the queue. */
function putInFront(calls: readonly QueuedCall[], planMode: Pick<PlanMode, 'queue' | 'add' | 'clear'>): void {
  const newer: QueuedCall[] = [];
  attempt(() => {
    const queue = [...planMode.queue];
    planMode.clear();
    newer.push(...queue);
  });
  for (const call of [...calls, ...newer]) attempt(() => planMode.add(call));
}

function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // There is nobody to tell but the caller, who is owed the results.
  }
}
