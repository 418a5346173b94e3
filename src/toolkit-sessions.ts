import type { Leftover } from './core/toolkit.js';
import { Turns } from './pipeline/turns.js';

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
  readonly #ending = new Map<string, Promise<readonly Leftover[]>>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Undefined unless the session is being ended; then a turn of it has to wait for this. */
  ending(sessionId: string): Promise<unknown> | undefined {
    return this.#ending.get(sessionId)?.catch(() => {});
  }

  /** Ends a session; who asks while that goes on gets the same answer. Rejects when a part of it failed, after all were tried. */
  end(sessionId: string): Promise<readonly Leftover[]> {
    const known = this.#ending.get(sessionId);
    if (known !== undefined) return known;
    const ending = this.#end(sessionId).finally(() => this.#ending.delete(sessionId));
    this.#ending.set(sessionId, ending);
    return ending;
  }

  async #end(sessionId: string): Promise<readonly Leftover[]> {
    const { tasks, shell, keepers } = this.#parts;
    await this.turns.endSession(sessionId, 'the session was ended');
    const [stopped, left] = await Promise.allSettled([tasks.endSession(sessionId), shell.endSession(sessionId)]);
    const forgotten = await Promise.allSettled(keepers.map(async (keeper) => keeper?.endSession?.(sessionId)));
    const failures = [stopped, left, ...forgotten].flatMap((part) => (part.status === 'rejected' ? [part.reason] : []));
    if (failures.length > 0) throw new AggregateError(failures, `Session ${JSON.stringify(sessionId)} could not be ended whole`);
    return left.status === 'fulfilled' ? left.value : [];
  }
}
