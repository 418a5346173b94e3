import type { Caller, CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { isThenable } from '../core/support/check-values.js';
import { onAbort, type Timers } from '../core/support/timers.js';

/** The effect of a deadline and an abort on one kind of foreign code: a tool, a hook, a callback of the host. */
export interface StopRules {
  /** Time to settle after a stop, for work that has read its signal. */
  readonly graceMs: number;
  readonly timedOut: (what: string, timeoutMs: number) => ToolError;
  /** `reason` is undefined if the host's signal aborted. */
  readonly aborted: (reason: string | undefined) => ToolError;
  /** Whether the work starts even if the run is already aborted, as hooks after a call do. */
  readonly startsAfterAbort: boolean;
}

/**
 * The outcome of work: a value, a thrown error, or the error that stopped the work. `late` is the outcome within the
 * grace period after a stop.
 */
export type Outcome<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'thrown'; readonly thrown: unknown }
  | { readonly kind: 'stopped'; readonly error: ToolError; readonly late: Outcome<Value> | undefined };

function gave<Value>(value: Value): Outcome<Value> {
  return { kind: 'value', value };
}

/** The remaining time that several waits share; 0 means no limit. */
export interface TimeBudget {
  leftMs: number;
}

/**
 * The error of work that gave no value. Throws `cancelled` if the run was stopped meanwhile, because the call must not
 * start then.
 */
export function failureOf(outcome: Exclude<Outcome<unknown>, { readonly kind: 'value' }>): ToolError {
  if (outcome.kind === 'thrown') return ToolError.from(outcome.thrown);
  if (outcome.error.code === 'cancelled') throw outcome.error;
  return outcome.error;
}

interface Watch {
  readonly what: string;
  readonly timeoutMs: number;
  readonly rules: StopRules;
  readonly scope: SupervisedScope;
  readonly resolve: (outcome: Outcome<never>) => void;
  /** The next time to act: the deadline or, after a stop, the end of the grace period. */
  at: number;
  error: ToolError | undefined;
}

/**
 * The scope of supervised work. The scope records whether the work has read its signal, because only then can the work
 * react to an abort.
 */
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

  get isHeard(): boolean {
    return this.#controller !== undefined;
  }

  stop(reason: ToolError): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

// A setTimeout with a longer delay fires at once.
const longestTimerMs = 2_147_483_647;

/**
 * Runs foreign code until a deadline or an abort of the run, and always settles. All running work shares one listener
 * on the host's signal and one platform timer, and both are removed at the end.
 */
export class Supervisor {
  readonly #timers: Timers;
  readonly #caller: Caller;
  readonly #signal: AbortSignal | undefined;
  readonly #unlisten: (() => void) | undefined;
  readonly #live = new Set<Watch>();
  /** Set if the run was stopped by {@link stop}. */
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

  /** The reason of {@link stop}; undefined if the host's signal aborted. */
  get stopReason(): string | undefined {
    return this.#stopped;
  }

  /** Stops the run, like an abort of the host's signal. */
  stop(reason: string): void {
    this.#stopped ??= reason;
    this.#abort();
  }

  now(): number {
    return this.#timers.now();
  }

  /**
   * Resolves with the outcome of the work or, after a stop, at the latest at the end of the grace period. A `timeoutMs`
   * of 0 or Infinity means no deadline. Work that has never read its signal cannot react to it and gets no grace
   * period. Later outcomes are ignored. `what` names the work in messages.
   */
  async supervise<Value>(
    what: string,
    timeoutMs: number,
    rules: StopRules,
    work: (scope: CallScope) => Value | PromiseLike<Value>,
  ): Promise<Outcome<Value>> {
    if (this.isAborted && !rules.startsAfterAbort)
      return { kind: 'stopped', error: rules.aborted(this.#stopped), late: undefined };
    const scope = new SupervisedScope(this.#caller);
    try {
      const started = work(scope);
      return isThenable(started) ? await this.#outcome(started, what, timeoutMs, rules, scope) : gave(started);
    } catch (thrown) {
      return { kind: 'thrown', thrown };
    }
  }

  /**
   * Resolves with the value of work that is normally quick, and rejects with the error that the work throws or that
   * stops it. Work that returns a promise uses up the time of `budget`.
   */
  async expect<Value>(
    what: string,
    budget: TimeBudget,
    rules: StopRules,
    work: (scope: CallScope) => Value | PromiseLike<Value>,
  ): Promise<Value> {
    if (this.isAborted) throw rules.aborted(this.#stopped);
    const scope = new SupervisedScope(this.#caller);
    const started = work(scope);
    if (!isThenable(started)) return started;
    const beganAt = this.now();
    const outcome = await this.#outcome(started, what, budget.leftMs, rules, scope);
    // 0 would mean no limit.
    if (budget.leftMs > 0) budget.leftMs = Math.max(1, budget.leftMs - (this.now() - beganAt));
    if (outcome.kind === 'value') return outcome.value;
    throw outcome.kind === 'thrown' ? outcome.thrown : outcome.error;
  }

  /** Stops watching all work, and removes the listener and the timer. */
  end(): void {
    this.#live.clear();
    this.#wakeAt(Number.POSITIVE_INFINITY, 0);
    this.#unlisten?.();
  }

  #outcome<Value>(
    started: PromiseLike<Value>,
    what: string,
    timeoutMs: number,
    rules: StopRules,
    scope: SupervisedScope,
  ): Promise<Outcome<Value>> {
    // A foreign thenable is adopted, since its own `then` may throw or call back twice.
    const work = Promise.resolve(started);
    return new Promise((resolve) => {
      const at = Number.POSITIVE_INFINITY;
      const watch: Watch = { what, timeoutMs, rules, scope, resolve, at, error: undefined };
      this.#live.add(watch);
      // A promise may have a `then` of its own, which could throw.
      void Promise.prototype.then.call(
        work,
        (value) => this.#settle(watch, gave(value as never)),
        (thrown) => this.#settle(watch, { kind: 'thrown', thrown }),
      );
      if (this.isAborted) this.#stop(watch, rules.aborted(this.#stopped));
      else if (timeoutMs > 0) this.#setAlarm(watch, timeoutMs);
    });
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
    if (watch.scope.isHeard && watch.rules.graceMs > 0) this.#setAlarm(watch, watch.rules.graceMs);
    else this.#settle(watch, undefined);
  }

  #abort(): void {
    for (const watch of [...this.#live]) this.#stop(watch, watch.rules.aborted(this.#stopped));
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
      else this.#stop(watch, watch.rules.timedOut(watch.what, watch.timeoutMs));
    }
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of this.#live) next = Math.min(next, at);
    if (next < this.#wakesAt) this.#wakeAt(next, now);
  };
}
