import type { Turns } from '../call/in-flight.js';
import type { AttachedPart } from '../core/registry/toolkit.js';
import type { Leftover } from '../core/registry/toolkit-processes.js';
import { assertArgument, assertOptions, kindOf, type OptionKinds } from '../core/support/check-values.js';
import { unlessAborted } from '../core/support/timers.js';

interface SessionKeeper {
  readonly endSession?: ((sessionId: string) => unknown) | undefined;
}

/** The parts of a toolkit that are called when sessions end. */
interface SessionParts {
  /** Running work. These parts are ended one after the other, and awaited. */
  readonly running: readonly (SessionKeeper & { dispose(): unknown })[];
  /** Ended concurrently with `running`. */
  readonly shell: { endSession(sessionId: string): Promise<readonly Leftover[]>; dispose(): unknown };
  /** Parts that only delete their state of the session. */
  readonly keepers: readonly (SessionKeeper | undefined)[];
  /** Disposed with the toolkit. */
  readonly stores: readonly { dispose(): unknown }[];
}

/** The sessions of a toolkit: their turns, the end of one session and the end of all. */
export class ToolkitSessions {
  readonly turns: Turns;
  readonly #parts: SessionParts;
  readonly #attached = new Set<AttachedPart>();
  readonly #closing = new AbortController();
  readonly #ending = new Map<string, Promise<readonly Leftover[]>>();
  #disposal: Promise<void> | undefined;

  constructor(turns: Turns, parts: SessionParts) {
    this.turns = turns;
    this.#parts = parts;
  }

  /**
   * Attaches a part of the program. Its `endSession` is called when a session ends, its `dispose` when the toolkit is
   * disposed. If the toolkit is already disposed, the part is disposed at once.
   */
  attach(part: AttachedPart): void {
    const write = 'toolkit.attach({ dispose: () => server.close() })';
    assertArgument('toolkit.attach takes a part', part, kindOf.record, write);
    // Only these two methods are checked: the part may be an instance of a class with more members.
    const { endSession, dispose } = part;
    assertOptions('toolkit.attach', { endSession, dispose }, partKinds);
    if (this.#disposal === undefined) this.#attached.add(part);
    else void endAll([part], (one) => one.dispose?.()).catch(() => {});
  }

  /**
   * A promise that resolves when the session has ended; undefined if the session is not being ended. New work of the
   * session awaits the promise. The promise also resolves when the signal aborts or the toolkit is disposed.
   */
  ending(sessionId: string, signal?: AbortSignal): Promise<unknown> | undefined {
    const ending = this.#ending.get(sessionId);
    if (ending === undefined) return undefined;
    const stop = AbortSignal.any(signal === undefined ? [this.#closing.signal] : [this.#closing.signal, signal]);
    return stop.aborted ? undefined : unlessAborted(ending, stop, () => {}).catch(() => {});
  }

  /** Ends all turns, refuses new ones, then disposes all parts. */
  dispose(): Promise<void> {
    this.#disposal ??= this.#dispose();
    return this.#disposal;
  }

  /** Ends a session; concurrent calls share the result. Rejects if a part failed, after all parts were tried. */
  end(sessionId: string): Promise<readonly Leftover[]> {
    const known = this.#ending.get(sessionId);
    if (known !== undefined) return known;
    const ending = this.#end(sessionId).finally(() => this.#ending.delete(sessionId));
    this.#ending.set(sessionId, ending);
    return ending;
  }

  async #end(sessionId: string): Promise<readonly Leftover[]> {
    const { running, shell, keepers } = this.#parts;
    await this.turns.endSession(sessionId, 'the session was ended');
    const stopping = (async () => {
      await endAll(this.#attached, (part) => part.endSession?.(sessionId));
      for (const one of running) await one.endSession?.(sessionId);
    })();
    const [stopped, left] = await Promise.allSettled([stopping, shell.endSession(sessionId)]);
    const failures: unknown[] = [stopped, left].flatMap((part) => (part.status === 'rejected' ? [part.reason] : []));
    for (const keeper of keepers) {
      try {
        // A hook of the host may return a promise, which is not awaited.
        Promise.resolve(keeper?.endSession?.(sessionId)).catch(() => {});
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `Session ${JSON.stringify(sessionId)} could not be ended completely`);
    return left.status === 'fulfilled' ? left.value : [];
  }

  async #dispose(): Promise<void> {
    const { running, shell, stores } = this.#parts;
    const closed = this.turns.close('the toolkit was disposed');
    this.#closing.abort();
    await closed;
    const attached = { dispose: () => endAll(this.#attached, (part) => part.dispose?.()) };
    await disposeAll([attached, ...running, shell, ...stores]);
  }
}

const partKinds: OptionKinds<AttachedPart> = { endSession: kindOf.callback, dispose: kindOf.callback };

/** Ends the parts that programs have attached. A failing part does not prevent the others from ending. */
async function endAll(parts: Iterable<AttachedPart>, end: (part: AttachedPart) => unknown): Promise<void> {
  const ends = await Promise.allSettled(Array.from(parts, async (part) => await end(part)));
  const failures = ends.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'Some attached parts of the toolkit could not be ended');
}

/** Disposes of each resource that has `dispose()`, in order; after a failure the others are still disposed of. */
async function disposeAll(resources: readonly object[]): Promise<void> {
  const failures: unknown[] = [];
  for (const resource of resources) {
    try {
      if ('dispose' in resource) await (resource as { dispose(): Promise<void> | void }).dispose();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some resources could not be disposed');
}
