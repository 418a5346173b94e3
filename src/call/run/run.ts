import type { Caller, CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { ToolEvent, ToolEventListener } from '../../core/event.js';
import type { ToolRegistry, ToolSnapshot } from '../../core/registry/registry.js';
import type { TurnOptions } from '../../core/registry/toolkit.js';
import { isThenable } from '../../core/support/is-thenable.js';
import type { Footprint, Tool } from '../../core/tool.js';
import type { Approvals } from './approvals.js';
import { InFlight } from './in-flight.js';
import type { RunSettings } from './run-options.js';
import { type Outcome, Supervisor, type Terms } from './supervisor.js';

/** A turn as it is run: with the answers that it was started with. */
export interface AnsweredTurn extends TurnOptions {
  readonly approvals?: Approvals | undefined;
  /** Chooses the registry of the turn by its caller. Default: that of the settings. */
  readonly registryOf?: ((scope: CallScope) => ToolRegistry | Promise<ToolRegistry>) | undefined;
}

const anonymous: Caller = Object.freeze({ sessionId: 'default' });

/** An output that was cut: what stayed of it, how long it was, and the file with all of it, where there is one. */
export interface CutOutput {
  readonly head: string;
  readonly tail: string;
  readonly chars: number;
  readonly path: string | undefined;
}

/** One turn on its way: the settings it runs under, and what its calls share. */
export class Run {
  settings: RunSettings;
  readonly caller: Caller;
  /** Tools that the resolver brought during this run. */
  resolved: ReadonlyMap<string, Tool> | undefined;
  readonly inFlight: InFlight;
  readonly approvals: Approvals | undefined;
  /** What the calls touch that wait for an answer, or for a call that does. */
  readonly waiting: Footprint[] = [];
  /** The outputs of this run that were cut, by what was left of them. */
  cuts: Map<string, CutOutput> | undefined;
  readonly #supervisor: Supervisor;
  readonly #onEvent: ToolEventListener | undefined;
  readonly #timeoutMs: number;
  readonly #workTerms: Terms;
  #tools: ToolSnapshot | undefined;
  #isInterrupted = false;
  #ended: Promise<void> | undefined;
  #announceEnd: (() => void) | undefined;
  /** What is left of the time in which a call is to be prepared. */
  #preparationMs = 0;

  constructor(settings: RunSettings, turn: AnsweredTurn) {
    this.settings = settings;
    this.caller = turn.caller ?? anonymous;
    this.approvals = turn.approvals;
    this.inFlight = new InFlight(settings.concurrency);
    this.#supervisor = new Supervisor(settings.timers, this.caller, turn.signal);
    this.#onEvent = turn.onEvent;
    this.#timeoutMs = turn.timeoutMs ?? 0;
    const { abortGraceMs } = settings.limits.call;
    this.#workTerms = { graceMs: abortGraceMs, timedOut: tookTooLong, aborted: interrupted, startsAborted: false };
    settings.turns?.enter(this);
  }

  /** The tools as they stood when the first call was prepared. */
  get tools(): ToolSnapshot {
    this.#tools ??= this.settings.registry.snapshot();
    return this.#tools;
  }

  get interrupted(): boolean {
    return this.#isInterrupted || this.#supervisor.isAborted;
  }

  /** True when the run was stopped from outside, and not by a refusal that ends the turn. */
  get isAborted(): boolean {
    return this.#supervisor.isAborted;
  }

  get hasListener(): boolean {
    return this.#onEvent !== undefined;
  }

  now(): number {
    return this.#supervisor.now();
  }

  /** Runs over the registry that is chosen for its caller; a run that is stopped meanwhile keeps that of its settings. */
  async chooseRegistry({ registryOf }: AnsweredTurn): Promise<void> {
    if (registryOf === undefined) return;
    const outcome = await this.consult('registryFor', 0, registryOf);
    if (outcome.kind === 'thrown') throw outcome.thrown;
    if (outcome.kind === 'value') this.settings = { ...this.settings, registry: outcome.value };
  }

  /** Ends the turn: calls that have not started answer `cancelled`. */
  interrupt(): void {
    this.#isInterrupted = true;
  }

  /** Throws `cancelled` once the run is aborted or interrupted: nothing starts after that. */
  assertLive(): void {
    if (this.interrupted) throw this.cancellation();
  }

  /** The answer to a call that never started. */
  cancellation(): ToolError {
    return cancelled(this.#supervisor.stopReason);
  }

  /** Tells the listener. Build the event only when {@link hasListener}. */
  emit(event: ToolEvent): void {
    try {
      const answer: unknown = this.#onEvent?.(event, this.caller);
      // An async listener that rejects must not become an unhandled rejection.
      if (isThenable(answer)) Promise.resolve(answer).catch(() => {});
    } catch {
      // Observing a call never changes it.
    }
  }

  /** Runs a callback of the host within its time. An abort while it is asked means that the call never started. */
  consult<Value>(
    what: string,
    timeoutMs: number,
    ask: (scope: CallScope) => Value | PromiseLike<Value>,
    when: 'before' | 'after' = 'before',
  ): Promise<Outcome<Value>> {
    return this.#supervisor.supervise(what, timeoutMs, when === 'before' ? askedBefore : askedAfter, ask);
  }

  /**
   * Begins to prepare a call: all that it waits for by {@link expect} has the time for it together, people, hooks and
   * the limiter have their own.
   */
  beginPreparation(): void {
    const { resolver, call } = this.settings.limits;
    this.#preparationMs = shorter(resolver.timeoutMs, call.timeoutMs);
  }

  /** Asks a part of a tool that is normally quick; throws what it throws, and `timeout` when it is not. */
  async expect<Value>(what: string, ask: (scope: CallScope) => Value | PromiseLike<Value>): Promise<Value> {
    const beganAt = this.now();
    const outcome = await this.consult(what, this.#preparationMs, ask);
    // 0 would be no limit at all.
    if (this.#preparationMs > 0) this.#preparationMs = Math.max(1, this.#preparationMs - (this.now() - beganAt));
    if (outcome.kind === 'value') return outcome.value;
    throw outcome.kind === 'thrown' ? outcome.thrown : outcome.error;
  }

  /** Runs a tool under the abort and its deadline, or that of the turn where it is shorter. */
  work<Value>(timeoutMs: number, execute: (scope: CallScope) => Value | PromiseLike<Value>): Promise<Outcome<Value>> {
    const shorterMs = shorter(timeoutMs, this.#timeoutMs);
    return this.#supervisor.supervise('The call', shorterMs, this.#workTerms, execute);
  }

  /**
   * Makes tools that are made on first use, and of those that failed before the one that is `called`; none twice in a
   * turn. What cannot be made in time answers for itself when it is called.
   */
  async makeReady(called?: string): Promise<void> {
    const { registry, limits } = this.settings;
    if (this.interrupted) return;
    const { timeoutMs } = limits.resolver;
    const retry = called === undefined ? [] : [called];
    await this.consult('The tools', 0, () => registry.ready({ timeoutMs, retry, turn: this }));
  }

  /** Waits; false when the run was aborted or interrupted meanwhile. */
  async sleep(delayMs: number): Promise<boolean> {
    const { timers } = this.settings;
    let timer: unknown;
    const outcome = await this.consult('The pause', 0, () => {
      return new Promise<void>((resolve) => {
        timer = timers.set(resolve, delayMs);
      });
    });
    timers.clear(timer);
    return outcome.kind === 'value' && !this.#isInterrupted;
  }

  /** Stops the turn from outside: what runs is interrupted, what waits or has not started is cancelled. */
  stop(reason: string): void {
    this.#supervisor.stop(reason);
  }

  /** Resolves when every call has its result. Ask while the turn runs. */
  get ended(): Promise<void> {
    this.#ended ??= new Promise((resolve) => {
      this.#announceEnd = resolve;
    });
    return this.#ended;
  }

  end(): void {
    this.#supervisor.end();
    this.settings.turns?.leave(this);
    this.#announceEnd?.();
    // A tool that never answers keeps its run for ever.
    this.cuts = undefined;
  }
}

/** The shorter of two times, of which 0 is none. */
function shorter(first: number, second: number): number {
  return first === 0 || second === 0 ? Math.max(first, second) : Math.min(first, second);
}

/** The answer to a call that never started. */
function cancelled(reason = 'operation cancelled'): ToolError {
  return new ToolError('cancelled', reason);
}

function interrupted(reason?: string): ToolError {
  const why = reason === undefined ? '' : `: ${reason}`;
  return new ToolError(
    'interrupted',
    `The call was interrupted while it was running${why}; what it did until then stands.`,
  );
}

function tookTooLong(_what: string, timeoutMs: number): ToolError {
  return new ToolError(
    'timeout',
    `The call took longer than ${timeoutMs} ms and was stopped. Try a smaller step, or a longer limit.`,
  );
}

function noAnswer(what: string, timeoutMs: number): ToolError {
  return new ToolError('timeout', `${what} did not answer within ${Math.ceil(timeoutMs)} ms`);
}

const askedBefore: Terms = { graceMs: 0, timedOut: noAnswer, aborted: cancelled, startsAborted: false };
const askedAfter: Terms = { ...askedBefore, startsAborted: true };
