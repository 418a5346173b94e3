import type { Caller } from '../../core/context.js';

/** A turn that runs. */
export interface StoppableTurn {
  readonly caller: Caller;
  /** Resolves when every call has its result. */
  readonly ended: Promise<void>;
  stop(reason: string): void;
}

/**
 * The turns that run, by session, and which sessions are known. What ends a session, or all of them, stops its turns
 * here: they settle within their grace periods, and no answer that comes later acts.
 */
export class Turns {
  readonly #sessions = new Set<string>();
  readonly #running = new Set<StoppableTurn>();
  #closed: string | undefined;

  /** Why no turn runs any more; undefined while turns may run. */
  get closed(): string | undefined {
    return this.#closed;
  }

  /** The sessions that had a turn and were not ended. */
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

  /** Stops the turns of a session and forgets it, when each of their calls has settled. */
  async endSession(sessionId: string, reason: string): Promise<void> {
    await stopAll(
      [...this.#running].filter(({ caller }) => caller.sessionId === sessionId),
      reason,
    );
    this.#sessions.delete(sessionId);
  }

  /** Stops the turns of one agent. */
  async endAgent({ sessionId, agentId }: Caller, reason: string): Promise<void> {
    const isOf = ({ caller }: StoppableTurn) => caller.sessionId === sessionId && caller.agentId === agentId;
    await stopAll([...this.#running].filter(isOf), reason);
  }

  /** Stops every turn, now and later. */
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
