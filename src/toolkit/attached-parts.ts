import type { AttachedPart } from '../core/registry/toolkit.js';
import { assertArgument, assertOptions, kindOf, type OptionKinds } from '../core/support/option-kinds.js';

const partKinds: OptionKinds<AttachedPart> = { endSession: kindOf.callback, dispose: kindOf.callback };

/** What programs have attached to a toolkit: each part ends, whether or not another one fails. */
export class AttachedParts {
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
