import type { Caller } from '../core/context.js';
import type { QueuedCall } from '../core/registry/toolkit.js';
import type { PlanMode } from '../ports/planning/plan-mode.js';

/** Plan mode in memory, off at first. Each session has its own, `of(caller)`; the object is that of `default`. */
export function createPlanMode(): Required<PlanMode> {
  return new OwnPlanMode(new Map(), 'default');
}

interface PlanState {
  readonly isActive: boolean;
  readonly queue: readonly QueuedCall[];
}

const off: PlanState = Object.freeze({ isActive: false, queue: Object.freeze([]) });

/** Plan mode of one session; a session that is not planning and has no queued calls uses no memory. */
class OwnPlanMode implements Required<PlanMode> {
  readonly #states: Map<string, PlanState>;
  readonly #sessionId: string;

  constructor(states: Map<string, PlanState>, sessionId: string) {
    this.#states = states;
    this.#sessionId = sessionId;
  }

  get isActive(): boolean {
    return this.#state.isActive;
  }

  get queue(): readonly QueuedCall[] {
    return this.#state.queue;
  }

  enter(): void {
    this.#change({ isActive: true });
  }

  exit(): void {
    this.#change({ isActive: false });
  }

  add(call: QueuedCall): void {
    this.#change({ queue: [...this.queue, call] });
  }

  clear(): void {
    this.#change({ queue: [] });
  }

  of({ sessionId }: Caller): PlanMode {
    return new OwnPlanMode(this.#states, sessionId);
  }

  endSession(sessionId: string): void {
    this.#states.delete(sessionId);
  }

  get #state(): PlanState {
    return this.#states.get(this.#sessionId) ?? off;
  }

  #change(change: Partial<PlanState>): void {
    const state = { ...this.#state, ...change };
    if (state.isActive || state.queue.length > 0) this.#states.set(this.#sessionId, state);
    else this.#states.delete(this.#sessionId);
  }
}
