import type { Caller, CallScope } from '../core/context.js';
import type { ToolError } from '../core/error.js';
import { LazyScope } from './lazy-scope.js';
import type { Timers } from './timers.js';

/** The bounds of one piece of foreign code: a tool, a hook, a callback of the host. */
export interface Bounds {
  /** 0 or Infinity = none. */
  readonly timeoutMs: number;
  /** How long work that asked for its signal may still settle after it was stopped. */
  readonly graceMs: number;
  /** What a deadline and an abort mean for this kind of work. */
  readonly timedOut: (bounds: Bounds) => ToolError;
  readonly aborted: (bounds: Bounds) => ToolError;
  /** Who is waited for, for messages. */
  readonly what: string;
  /** Whether the work is begun even when the run has been aborted already: hooks that follow a call are. */
  readonly startsAborted: boolean;
}

/** What came of the work: its own outcome, or the error that stopped it together with the outcome it may still have had. */
export type Outcome<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'thrown'; readonly thrown: unknown }
  | { readonly kind: 'stopped'; readonly error: ToolError; readonly late: Outcome<Value> | undefined };

/** Work that is being waited for. */
interface Watch {
  readonly scope: LazyScope;
  readonly bounds: Bounds;
  readonly settle: (outcome: Outcome<never> | undefined) => void;
  /** When something must happen: the deadline, and once it was stopped, the end of the grace. */
  at: number;
  error: ToolError | undefined;
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
  readonly #live = new Set<Watch>();
  #timer: unknown;
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(timers: Timers, caller: Caller, signal: AbortSignal | undefined) {
    this.#timers = timers;
    this.#caller = caller;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#abort);
  }

  get isAborted(): boolean {
    return this.#signal?.aborted ?? false;
  }

  now(): number {
    return this.#timers.now();
  }

  /**
   * Answers with what the work did or, once it was stopped, at the latest after the grace. Work that never asked for its signal
   * cannot react to it and gets none. Whatever settles later is swallowed. Synchronous work is answered synchronously.
   */
  supervise<Value>(bounds: Bounds, work: (scope: CallScope) => Value | PromiseLike<Value>): Outcome<Value> | Promise<Outcome<Value>> {
    if (this.isAborted && !bounds.startsAborted) return { kind: 'stopped', error: bounds.aborted(bounds), late: undefined };
    const scope = new LazyScope(this.#caller);
    try {
      const started = work(scope);
      if (!isThenable(started)) return { kind: 'value', value: started };
      // A look-alike is adopted, since its own `then` may throw or call back twice.
      return this.#watch(Promise.resolve(started), scope, bounds);
    } catch (thrown) {
      return { kind: 'thrown', thrown };
    }
  }

  /** Forgets everything that is still waited for and frees listener and timer. */
  end(): void {
    this.#live.clear();
    this.#wakeAt(Number.POSITIVE_INFINITY);
    this.#signal?.removeEventListener('abort', this.#abort);
  }

  #watch<Value>(work: Promise<Value>, scope: LazyScope, bounds: Bounds): Promise<Outcome<Value>> {
    return new Promise((resolve) => {
      const settle = (outcome: Outcome<Value> | undefined) => {
        this.#live.delete(watch);
        if (watch.error !== undefined) resolve({ kind: 'stopped', error: watch.error, late: outcome });
        else if (outcome !== undefined) resolve(outcome);
      };
      const watch: Watch = { scope, bounds, settle, at: Number.POSITIVE_INFINITY, error: undefined };
      this.#live.add(watch);
      // A promise may carry a `then` of its own making.
      void Promise.prototype.then.call(
        work,
        (value: Value) => settle({ kind: 'value', value }),
        (thrown: unknown) => settle({ kind: 'thrown', thrown }),
      );
      if (this.isAborted) this.#stop(watch, bounds.aborted(bounds));
      else if (bounds.timeoutMs > 0) this.#setAlarm(watch, bounds.timeoutMs);
    });
  }

  #stop(watch: Watch, error: ToolError): void {
    if (watch.error !== undefined) return;
    watch.error = error;
    watch.scope.stop(error);
    if (watch.scope.isHeard && watch.bounds.graceMs > 0) this.#setAlarm(watch, watch.bounds.graceMs);
    else watch.settle(undefined);
  }

  readonly #abort = () => {
    for (const watch of [...this.#live]) this.#stop(watch, watch.bounds.aborted(watch.bounds));
  };

  #setAlarm(watch: Watch, delayMs: number): void {
    watch.at = this.now() + delayMs;
    if (watch.at < this.#wakesAt) this.#wakeAt(watch.at);
  }

  #wakeAt(at: number): void {
    if (this.#timer !== undefined) this.#timers.clear(this.#timer);
    this.#timer = undefined;
    this.#wakesAt = at;
    if (at === Number.POSITIVE_INFINITY) return;
    this.#timer = this.#timers.set(this.#wake, Math.min(longestTimerMs, Math.max(0, Math.ceil(at - this.now()))));
  }

  readonly #wake = () => {
    this.#timer = undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    const now = this.now();
    for (const watch of [...this.#live]) {
      if (watch.at > now) continue;
      if (watch.error !== undefined) watch.settle(undefined);
      else this.#stop(watch, watch.bounds.timedOut(watch.bounds));
    }
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of this.#live) next = Math.min(next, at);
    if (next < this.#wakesAt) this.#wakeAt(next);
  };
}

/** True for promises and their look-alikes. */
export function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return (
    (typeof value === 'object' || typeof value === 'function') && value !== null && 'then' in value && typeof value.then === 'function'
  );
}
