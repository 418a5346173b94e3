import type { QueuedCall } from '../core/registry/toolkit.js';
import type { PlanMode } from '../ports/planning/plan-mode.js';

/**
 * Plan mode in memory, off at first. `of(caller)` returns the plan mode of the caller's session; the returned object
 * itself is the plan mode of the session with the id `default`.
 */
export function createPlanMode(): Required<PlanMode> {
  return planOf(new Map(), 'default');
}

interface PlanState {
  readonly isActive: boolean;
  readonly queue: readonly QueuedCall[];
}

const off: PlanState = Object.freeze({ isActive: false, queue: Object.freeze([]) });

/** Plan mode of one session; a session that is not planning and has no queued calls uses no memory. */
function planOf(states: Map<string, PlanState>, sessionId: string): Required<PlanMode> {
  const state = () => states.get(sessionId) ?? off;
  const change = (changed: Partial<PlanState>) => {
    const next = { ...state(), ...changed };
    if (next.isActive || next.queue.length > 0) states.set(sessionId, next);
    else states.delete(sessionId);
  };
  return {
    get isActive() {
      return state().isActive;
    },
    get queue() {
      return state().queue;
    },
    enter: () => change({ isActive: true }),
    exit: () => change({ isActive: false }),
    add: (call) => change({ queue: [...state().queue, call] }),
    clear: () => change({ queue: [] }),
    of: (caller) => planOf(states, caller.sessionId),
    endSession: (ended) => void states.delete(ended),
  };
}
