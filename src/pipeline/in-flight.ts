import type { Footprint, Touched } from '../core/tool.js';

/** A call that works: what it touches, and when it is done. */
export interface Running {
  readonly footprint: Footprint;
  done: Promise<unknown>;
}

/**
 * The calls of a run that are working now, each with what it touches. A new call waits until none of them conflicts with it:
 * neither may write what the other reads or writes (Bernstein's conditions), so overlapping gives the results of the serial run.
 */
export class InFlight {
  readonly #running = new Set<Running>();
  readonly #maxConcurrent: number;

  constructor(maxConcurrent: number) {
    this.#maxConcurrent = maxConcurrent;
  }

  /** Undefined when the call may work now, else a promise to wait for before asking again. */
  obstacle(footprint: Footprint): Promise<unknown> | undefined {
    if (this.#running.size === 0) return undefined;
    for (const { footprint: other, done } of this.#running) {
      if (this.#maxConcurrent <= 1 || conflict(footprint, other)) return done;
    }
    return this.#running.size < this.#maxConcurrent ? undefined : Promise.race([...this.#running].map(({ done }) => done));
  }

  /** Starts work, which must not reject, and holds its footprint until the work says that it leaves. */
  start<Value>(footprint: Footprint, work: (leave: () => void) => Promise<Value>): Promise<Value> {
    const running: Running = { footprint, done: nothing };
    this.#running.add(running);
    const done = work(() => this.#running.delete(running));
    running.done = done;
    return done;
  }
}

const nothing = Promise.resolve();

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
