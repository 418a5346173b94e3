import type { Caller, CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { isThenable } from '../../core/support/is-thenable.js';
import { onAbort } from '../../core/support/on-abort.js';
import type { Timers } from '../../core/support/timers.js';

/** What a deadline and an abort mean for one kind of foreign code: a tool, a hook, a callback of the host. */
export interface Terms {
  /** How long work that asked for its signal may still settle after it was stopped. */
  readonly graceMs: number;
  readonly timedOut: (what: string, timeoutMs: number) => ToolError;
  /** `reason` says why, where it was not the host's signal. */
  readonly aborted: (reason: string | undefined) => ToolError;
  /** Whether the work is begun even when the run has been aborted already: hooks that follow a call are. */
  readonly startsAborted: boolean;
}

/**
 * What came of the work: its own outcome, or the error that stopped it together with the outcome it may still have had.
 */
export type Outcome<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'thrown'; readonly thrown: unknown }
  | { readonly kind: 'stopped'; readonly error: ToolError; readonly late: Outcome<Value> | undefined };

/** Why somebody did not answer. Throws `cancelled` where the run was stopped meanwhile: the call never starts then. */
export function failureOf(outcome: Exclude<Outcome<unknown>, { readonly kind: 'value' }>): ToolError {
  if (outcome.kind === 'thrown') return ToolError.from(outcome.thrown);
  if (outcome.error.code === 'cancelled') throw outcome.error;
  return outcome.error;
}

/** Work that is being waited for. */
interface Watch {
  readonly what: string;
  readonly timeoutMs: number;
  readonly terms: Terms;
  readonly scope: SupervisedScope;
  readonly resolve: (outcome: Outcome<never>) => void;
  /** When something must happen: the deadline, and once it was stopped, the end of the grace. */
  at: number;
  error: ToolError | undefined;
}

/** The scope of supervised work, which knows whether the work asked for its signal and so can react to an abort. */
class SupervisedScope implements CallScope {
  readonly caller: Caller;
  #controller: AbortController | undefined;
  #reason: ToolError | undefined;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Whether the work asked for its signal. */
  get isHeard(): boolean {
    return this.#controller !== undefined;
  }

  stop(reason: ToolError): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

// Later than this, setTimeout would fire at once.
const longestTimerMs = 2_147_483_647;

/**
 * Runs foreign code under the abort of a run and a deadline, and always answers. However much runs at the same time,
 * it takes one listener on the host's signal and one platform timer, and leaves neither behind.
 */
export class Supervisor {
  readonly #timers: Timers;
  readonly #caller: Caller;
  readonly #signal: AbortSignal | undefined;
  readonly #unlisten: (() => void) | undefined;
  readonly #live = new Set<Watch>();
  /** Set when the run was stopped by something else than the signal. */
  #stopped: string | undefined;
  #timer: unknown;
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(timers: Timers, caller: Caller, signal: AbortSignal | undefined) {
    this.#timers = timers;
    this.#caller = caller;
    this.#signal = signal;
    if (signal !== undefined) this.#unlisten = onAbort(signal, () => this.#abort());
  }

  get isAborted(): boolean {
    return this.#stopped !== undefined || this.#signal?.aborted === true;
  }

  /** Why the run was stopped, where it was not the host's signal. */
  get stopReason(): string | undefined {
    return this.#stopped;
  }

  /** Stops the run as its signal would. */
  stop(reason: string): void {
    this.#stopped ??= reason;
    this.#abort();
  }

  now(): number {
    return this.#timers.now();
  }

  /**
   * Answers with what the work did or, once it was stopped, at the latest after the grace; a `timeoutMs` of 0 or
   * Infinity is none. Work that never asked for its signal cannot react to it and gets none. Whatever settles later is
   * swallowed. `what` says in messages who is waited for.
   */
  async supervise<Value>(
    what: string,
    timeoutMs: number,
    terms: Terms,
    work: (scope: CallScope) => Value | PromiseLike<Value>,
  ): Promise<Outcome<Value>> {
    if (this.isAborted && !terms.startsAborted)
      return { kind: 'stopped', error: terms.aborted(this.#stopped), late: undefined };
    const scope = new SupervisedScope(this.#caller);
    try {
      const started = work(scope);
      if (!isThenable(started)) return { kind: 'value', value: started };
      // A look-alike is adopted, since its own `then` may throw or call back twice.
      const adopted = Promise.resolve(started);
      return await new Promise((resolve) => {
        this.#watch(adopted, {
          what,
          timeoutMs,
          terms,
          scope,
          resolve,
          at: Number.POSITIVE_INFINITY,
          error: undefined,
        });
      });
    } catch (thrown) {
      return { kind: 'thrown', thrown };
    }
  }

  /** Forgets everything that is still waited for and frees listener and timer. */
  end(): void {
    this.#live.clear();
    this.#wakeAt(Number.POSITIVE_INFINITY, 0);
    this.#unlisten?.();
  }

  #watch(work: Promise<unknown>, watch: Watch): void {
    this.#live.add(watch);
    // A promise may carry a `then` of its own making.
    void Promise.prototype.then.call(
      work,
      (value) => this.#settle(watch, { kind: 'value', value: value as never }),
      (thrown) => this.#settle(watch, { kind: 'thrown', thrown }),
    );
    if (this.isAborted) this.#stop(watch, watch.terms.aborted(this.#stopped));
    else if (watch.timeoutMs > 0) this.#setAlarm(watch, watch.timeoutMs);
  }

  #settle(watch: Watch, outcome: Outcome<never> | undefined): void {
    this.#live.delete(watch);
    if (watch.error !== undefined) watch.resolve({ kind: 'stopped', error: watch.error, late: outcome });
    else if (outcome !== undefined) watch.resolve(outcome);
  }

  #stop(watch: Watch, error: ToolError): void {
    if (watch.error !== undefined) return;
    watch.error = error;
    watch.scope.stop(error);
    if (watch.scope.isHeard && watch.terms.graceMs > 0) this.#setAlarm(watch, watch.terms.graceMs);
    else this.#settle(watch, undefined);
  }

  #abort(): void {
    for (const watch of [...this.#live]) this.#stop(watch, watch.terms.aborted(this.#stopped));
  }

  #setAlarm(watch: Watch, delayMs: number): void {
    const now = this.now();
    watch.at = now + delayMs;
    if (watch.at < this.#wakesAt) this.#wakeAt(watch.at, now);
  }

  #wakeAt(at: number, now: number): void {
    if (this.#timer !== undefined) this.#timers.clear(this.#timer);
    this.#timer = undefined;
    this.#wakesAt = at;
    if (at === Number.POSITIVE_INFINITY) return;
    this.#timer = this.#timers.set(this.#wake, Math.min(longestTimerMs, Math.max(0, Math.ceil(at - now))));
  }

  readonly #wake = () => {
    this.#timer = undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    const now = this.now();
    for (const watch of [...this.#live]) {
      if (watch.at > now) continue;
      if (watch.error !== undefined) this.#settle(watch, undefined);
      else this.#stop(watch, watch.terms.timedOut(watch.what, watch.timeoutMs));
    }
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of this.#live) next = Math.min(next, at);
    if (next < this.#wakesAt) this.#wakeAt(next, now);
  };
}
