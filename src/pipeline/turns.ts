import type { Caller } from '../core/context.js';

/** A turn that runs. */
export interface StoppableTurn {
  readonly caller: Caller;
  /** Resolves when every call has its result. */
  readonly ended: Promise<void>;
  stop(reason: string): void;
}

/**
 * The turns that run, by session, and which sessions are known. What ends a session, or all of them, stops its turns here:
 * they settle within their grace periods, and no answer that comes later acts.
 */
export class Turns {
  readonly #sessions = new Map<string, Set<StoppableTurn>>();
  #closed: string | undefined;

  /** Why no turn runs any more; undefined while turns may run. */
  get closed(): string | undefined {
    return this.#closed;
  }

  /** The sessions that had a turn and were not ended. */
  sessions(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  enter(run: StoppableTurn): void {
    if (this.#closed !== undefined) {
      run.stop(this.#closed);
      return;
    }
    const { sessionId } = run.caller;
    const runs = this.#sessions.get(sessionId) ?? new Set();
    this.#sessions.set(sessionId, runs.add(run));
  }

  leave(run: StoppableTurn): void {
    this.#sessions.get(run.caller.sessionId)?.delete(run);
  }

  /** Stops the turns of a session and forgets it, when each of their calls has settled. */
  async endSession(sessionId: string, reason: string): Promise<void> {
    await stopAll(this.#sessions.get(sessionId) ?? [], reason);
    if (this.#sessions.get(sessionId)?.size === 0) this.#sessions.delete(sessionId);
  }

  /** Stops every turn, now and later. */
  async close(reason: string): Promise<void> {
    this.#closed = reason;
    await stopAll(
      [...this.#sessions.values()].flatMap((runs) => [...runs]),
      reason,
    );
    this.#sessions.clear();
  }
}

async function stopAll(runs: Iterable<StoppableTurn>, reason: string): Promise<void> {
  await Promise.all(
    Array.from(runs, (run) => {
      run.stop(reason);
      return run.ended;
    }),
  );
}
