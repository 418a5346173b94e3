import { Turns } from '../call/run/turns.js';
import type { Leftover } from '../core/registry/leftover.js';

/** What remembers something by session. */
export interface SessionKeeper {
  readonly endSession?: ((sessionId: string) => unknown) | undefined;
}

/** What the sessions of a toolkit consist of beside their turns. */
export interface SessionParts {
  /** Ended first and waited for: what runs. */
  readonly tasks: { endSession(sessionId: string): Promise<void> };
  readonly shell: { endSession(sessionId: string): Promise<readonly Leftover[]> };
  /** Everything that only has to forget. */
  readonly keepers: readonly (SessionKeeper | undefined)[];
}

/** The sessions of a toolkit: their turns, and how one of them ends. */
export class ToolkitSessions {
  readonly turns = new Turns();
  readonly #parts: SessionParts;
  readonly #keepers: (SessionKeeper | undefined)[];
  readonly #closing = new AbortController();
  readonly #ending = new Map<string, Promise<readonly Leftover[]>>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#keepers = [...parts.keepers];
  }

  /**
   * Undefined unless the session is being ended; then what begins in it waits for this, unless its signal aborts or all
   * ends.
   */
  ending(sessionId: string, signal?: AbortSignal): Promise<unknown> | undefined {
    const ending = this.#ending.get(sessionId);
    if (ending === undefined) return undefined;
    const stop = AbortSignal.any(signal === undefined ? [this.#closing.signal] : [this.#closing.signal, signal]);
    if (stop.aborted) return undefined;
    return Promise.race([ending.catch(() => {}), new Promise((resolve) => stop.addEventListener('abort', resolve))]);
  }

  /** Has one more forget the sessions that end. */
  keep(keeper: SessionKeeper): void {
    this.#keepers.push(keeper);
  }

  /** Ends every turn, now and later. */
  close(reason: string): Promise<void> {
    const closed = this.turns.close(reason);
    this.#closing.abort();
    return closed;
  }

  /**
   * Ends a session; who asks while that goes on gets the same answer. Rejects when a part of it failed, after all were
   * tried.
   */
  end(sessionId: string): Promise<readonly Leftover[]> {
    const known = this.#ending.get(sessionId);
    if (known !== undefined) return known;
    const ending = this.#end(sessionId).finally(() => this.#ending.delete(sessionId));
    this.#ending.set(sessionId, ending);
    return ending;
  }

  async #end(sessionId: string): Promise<readonly Leftover[]> {
    const { tasks, shell } = this.#parts;
    await this.turns.endSession(sessionId, 'the session was ended');
    const [stopped, left] = await Promise.allSettled([tasks.endSession(sessionId), shell.endSession(sessionId)]);
    const failures: unknown[] = [stopped, left].flatMap((part) => (part.status === 'rejected' ? [part.reason] : []));
    for (const keeper of this.#keepers) {
      try {
        // A hook of the host may answer with a promise, for which nobody waits.
        Promise.resolve(keeper?.endSession?.(sessionId)).catch(() => {});
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `Session ${JSON.stringify(sessionId)} could not be ended whole`);
    return left.status === 'fulfilled' ? left.value : [];
  }
}
