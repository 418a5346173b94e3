import type { CallScope } from '../core/context.js';

/** Lets one person be asked one thing at a time, in order. A question whose time is over makes room for the next, even if it is never answered. */
export class PromptQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Asks when the questions before have been answered. Rejects as soon as the signal aborts, also while it waits. */
  add<Answer>(scope: CallScope, ask: () => Promise<Answer>): Promise<Answer> {
    const before = this.#last;
    const answer = untilAborted(before, scope.signal).then(() => {
      scope.signal.throwIfAborted();
      return untilAborted(ask(), scope.signal);
    });
    // One that gives up while it waits does not open the way for the next.
    this.#last = Promise.allSettled([before, answer]);
    return answer;
  }
}

function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abandon = () => reject(signal.reason);
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon));
  });
}
