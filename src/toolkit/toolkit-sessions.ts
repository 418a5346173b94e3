import { Turns } from '../call/run/turns.js';
import type { AttachedPart } from '../core/registry/toolkit.js';
import type { Leftover } from '../core/registry/toolkit-processes.js';
import { disposeAll } from '../core/support/dispose-all.js';
import { assertArgument, assertOptions, kindOf, type OptionKinds } from '../core/support/option-kinds.js';

/** What remembers something by session. */
export interface SessionKeeper {
  readonly endSession?: ((sessionId: string) => unknown) | undefined;
}

/** What the sessions of a toolkit consist of beside their turns. */
export interface SessionParts {
  /** Ended first, one after the other, and waited for: what runs. */
  readonly running: readonly (SessionKeeper & { dispose(): unknown })[];
  /** Ended beside them. */
  readonly shell: { endSession(sessionId: string): Promise<readonly Leftover[]>; dispose(): unknown };
  /** Everything that only has to forget. */
  readonly keepers: readonly (SessionKeeper | undefined)[];
  /** What lasts as long as the toolkit. */
  readonly stores: readonly { dispose(): unknown }[];
}

/** The sessions of a toolkit: their turns, how one of them ends, and how all end. Made before what takes part in them. */
export class ToolkitSessions {
  readonly turns = new Turns();
  readonly #attached = new AttachedParts();
  readonly #keepers: SessionKeeper[] = [];
  readonly #closing = new AbortController();
  readonly #ending = new Map<string, Promise<readonly Leftover[]>>();
  #parts: SessionParts | undefined;
  #disposal: Promise<void> | undefined;

  /** Says what else there is, as soon as it is made. */
  consistOf(parts: SessionParts): void {
    this.#parts = parts;
  }

  /** Has a part of the program end with the sessions, or at once where all has ended. */
  attach(part: AttachedPart): void {
    this.#attached.attach(part);
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

  /** Ends every turn, now and later, then all parts. */
  dispose(): Promise<void> {
    this.#disposal ??= this.#dispose();
    return this.#disposal;
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
    const { running, shell, keepers } = this.#parts as SessionParts;
    await this.turns.endSession(sessionId, 'the session was ended');
    const stopping = (async () => {
      for (const one of [this.#attached, ...running]) await one.endSession?.(sessionId);
    })();
    const [stopped, left] = await Promise.allSettled([stopping, shell.endSession(sessionId)]);
    const failures: unknown[] = [stopped, left].flatMap((part) => (part.status === 'rejected' ? [part.reason] : []));
    for (const keeper of [...keepers, ...this.#keepers]) {
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

  async #dispose(): Promise<void> {
    const { running, shell, stores } = this.#parts as SessionParts;
    const closed = this.turns.close('the toolkit was disposed');
    this.#closing.abort();
    await closed;
    await disposeAll([this.#attached, ...running, shell, ...stores]);
  }
}

const partKinds: OptionKinds<AttachedPart> = { endSession: kindOf.callback, dispose: kindOf.callback };

/** What programs have attached to a toolkit: each part ends, whether or not another one fails. */
class AttachedParts {
  readonly #parts = new Set<AttachedPart>();
  #isDisposed = false;

  attach(part: AttachedPart): void {
    const write = 'toolkit.attach({ dispose: () => server.close() })';
    assertArgument('toolkit.attach takes a part', part, kindOf.record, write);
    // Only the two methods count: a part may be an object of a class that has more.
    const { endSession, dispose } = part;
    assertOptions('toolkit.attach', { endSession, dispose }, partKinds);
    if (!this.#isDisposed) this.#parts.add(part);
    else void endAll([part], (one) => one.dispose?.()).catch(() => {});
  }

  endSession(sessionId: string): Promise<void> {
    return endAll(this.#parts, (part) => part.endSession?.(sessionId));
  }

  dispose(): Promise<void> {
    this.#isDisposed = true;
    return endAll(this.#parts, (part) => part.dispose?.());
  }
}

async function endAll(parts: Iterable<AttachedPart>, end: (part: AttachedPart) => unknown): Promise<void> {
  const ends = await Promise.allSettled(Array.from(parts, async (part) => await end(part)));
  const failures = ends.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'What was attached to the toolkit could not be ended');
}
