import type { CallScope } from '../core/context.js';

/** Lets one person be asked one thing at a time. A question whose time is over makes room for the next, even if it is never answered. */
export class PromptQueue {
  #last: Promise<unknown> = Promise.resolve();

  add<Answer>(scope: CallScope, ask: () => Promise<Answer>): Promise<Answer> {
    const before = this.#last;
    const answer = before.then(() => {
      scope.signal.throwIfAborted();
      return untilAborted(ask(), scope.signal);
    });
    this.#last = answer.catch(() => {});
    return answer;
  }
}

function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abandon = () => reject(signal.reason);
    signal.addEventListener('abort', abandon, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon));
  });
}
