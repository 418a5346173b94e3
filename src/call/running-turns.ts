import type { Caller } from '../core/context.js';

/** A running turn. */
export interface StoppableTurn {
  readonly caller: Caller;
  /** Resolves when every call has its result. */
  readonly ended: Promise<void>;
  stop(reason: string): void;
}

/**
 * The running turns and the known sessions. Ending one session, or all sessions, stops their turns. The calls settle
 * within their grace periods, and later answers have no effect.
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

  /** Stops the turns of one agent. */
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
