import type { Footprint, Touched } from '../core/assessment.js';
import type { Caller } from '../core/context.js';

interface Running {
  readonly footprint: Footprint;
}

/**
 * The running calls of a turn with their footprints. A new call waits until it conflicts with no running call, and
 * until fewer than the maximum number of calls run. Two calls conflict if one writes what the other reads or writes
 * (Bernstein's conditions). Overlapping calls therefore give the results of a serial run.
 */
export class InFlight {
  readonly #running = new Set<Running>();
  readonly #maxConcurrent: number;
  /** The number of running calls that write. */
  #writing = 0;
  #departure: Promise<void> | undefined;
  #announceDeparture: (() => void) | undefined;

  constructor(maxConcurrent: number) {
    this.#maxConcurrent = maxConcurrent;
  }

  /** Undefined if the call may run now; otherwise a promise to await before asking again. */
  obstacle(footprint: Footprint): Promise<void> | undefined {
    if (this.#running.size === 0) return undefined;
    return this.#running.size >= this.#maxConcurrent || this.conflicts(footprint) ? this.#nextDeparture() : undefined;
  }

  enter(running: Running): void {
    this.#running.add(running);
    if (!isNothing(running.footprint.writes)) this.#writing++;
  }

  leave(running: Running): void {
    this.#running.delete(running);
    if (!isNothing(running.footprint.writes)) this.#writing--;
    this.#announceDeparture?.();
    this.#announceDeparture = undefined;
    this.#departure = undefined;
  }

  conflicts(footprint: Footprint): boolean {
    if (this.#writing === 0 && isNothing(footprint.writes)) return false;
    for (const { footprint: other } of this.#running) if (conflict(footprint, other)) return true;
    return false;
  }

  /** One promise for all waiting calls, made on first use. */
  #nextDeparture(): Promise<void> {
    this.#departure ??= new Promise((resolve) => {
      this.#announceDeparture = resolve;
    });
    return this.#departure;
  }
}

/** Whether either of two calls writes what the other reads or writes. */
export function conflict(left: Footprint, right: Footprint): boolean {
  return meet(left.writes, right.writes) || meet(left.writes, right.reads) || meet(left.reads, right.writes);
}

function meet(left: Touched, right: Touched): boolean {
  if (isNothing(left) || isNothing(right)) return false;
  if (left === 'everything' || right === 'everything') return true;
  const keys = new Set(left);
  return (right as readonly string[]).some((key) => keys.has(key));
}

function isNothing(touched: Touched): boolean {
  return touched === 'nothing' || touched.length === 0;
}

export interface StoppableTurn {
  readonly caller: Caller;
  /** Resolves when every call has its result. */
  readonly ended: Promise<void>;
  stop(reason: string): void;
}

/**
 * The running turns and the known sessions. Ending one session, or all sessions, stops their turns. The calls settle
 * within their grace periods; results that tools return later are ignored.
 */
export class Turns {
  readonly #sessions = new Set<string>();
  readonly #running = new Set<StoppableTurn>();
  #closed: string | undefined;

  /** The reason why turns are refused; undefined while turns may run. */
  get closed(): string | undefined {
    return this.#closed;
  }

  /** The sessions that have had a turn and have not ended. */
  sessions(): readonly string[] {
    return [...this.#sessions];
  }

  enter(run: StoppableTurn): void {
    if (this.#closed !== undefined) {
      run.stop(this.#closed);
      return;
    }
    this.#sessions.add(run.caller.sessionId);
    this.#running.add(run);
  }

  leave(run: StoppableTurn): void {
    this.#running.delete(run);
  }

  /** Stops the turns of a session, and forgets the session when all their calls have settled. */
  async endSession(sessionId: string, reason: string): Promise<void> {
    await stopAll(
      [...this.#running].filter(({ caller }) => caller.sessionId === sessionId),
      reason,
    );
    this.#sessions.delete(sessionId);
  }

  async endAgent({ sessionId, agentId }: Caller, reason: string): Promise<void> {
    const isOf = ({ caller }: StoppableTurn) => caller.sessionId === sessionId && caller.agentId === agentId;
    await stopAll([...this.#running].filter(isOf), reason);
  }

  /** Stops all running turns, and stops each new turn at its start. */
  async close(reason: string): Promise<void> {
    this.#closed = reason;
    await stopAll([...this.#running], reason);
    this.#sessions.clear();
  }
}

async function stopAll(runs: readonly StoppableTurn[], reason: string): Promise<void> {
  await Promise.all(
    runs.map((run) => {
      run.stop(reason);
      return run.ended;
    }),
  );
}
