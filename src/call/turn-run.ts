import type { Footprint } from '../core/assessment.js';
import type { Caller, CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { ToolEvent, ToolEventListener } from '../core/event.js';
import type { ToolRegistry, ToolSnapshot } from '../core/registry/registry.js';
import type { TurnOptions } from '../core/registry/turn-options.js';
import { isThenable } from '../core/support/check-values.js';
import type { Tool } from '../core/tool.js';
import type { Approvals } from './given-answers.js';
import { InFlight } from './in-flight.js';
import type { RunSettings } from './run-options.js';
import { type Outcome, type StopRules, Supervisor, type TimeBudget } from './run-with-deadline.js';

/** A turn with the answers that it was started with. */
export interface AnsweredTurn extends TurnOptions {
  readonly approvals?: Approvals | undefined;
  /** Chooses the registry of the turn by its caller. Default: the registry of the settings. */
  readonly registryOf?: ((scope: CallScope) => ToolRegistry | Promise<ToolRegistry>) | undefined;
}

const anonymous: Caller = Object.freeze({ sessionId: 'default' });

/** A cut output: its head and tail, its full length, and the file with the full text, if there is one. */
export interface CutOutput {
  readonly head: string;
  readonly tail: string;
  readonly chars: number;
  readonly path: string | undefined;
}

/** One running turn: its settings, and the state that its calls share. */
export class Run {
  settings: RunSettings;
  readonly caller: Caller;
  /** Tools that the resolver has added during this run. */
  resolved: ReadonlyMap<string, Tool> | undefined;
  readonly inFlight: InFlight;
  readonly approvals: Approvals | undefined;
  /** The footprints of the calls that wait for an answer, or for an earlier call that waits for an answer. */
  readonly waiting: Footprint[] = [];
  /** The cut outputs of this run, by their shortened text. */
  cuts: Map<string, CutOutput> | undefined;
  readonly #supervisor: Supervisor;
  readonly #onEvent: ToolEventListener | undefined;
  readonly #timeoutMs: number;
  readonly #workRules: StopRules;
  #tools: ToolSnapshot | undefined;
  #isInterrupted = false;
  #ended: Promise<void> | undefined;
  #announceEnd: (() => void) | undefined;
  /** The remaining time for preparing the current call. */
  readonly #preparation: TimeBudget = { leftMs: 0 };

  constructor(settings: RunSettings, turn: AnsweredTurn) {
    this.settings = settings;
    this.caller = turn.caller ?? anonymous;
    this.approvals = turn.approvals;
    this.inFlight = new InFlight(settings.concurrency);
    this.#supervisor = new Supervisor(settings.timers, this.caller, turn.signal);
    this.#onEvent = turn.onEvent;
    this.#timeoutMs = turn.timeoutMs ?? 0;
    const { abortGraceMs } = settings.limits.call;
    this.#workRules = { graceMs: abortGraceMs, timedOut: tookTooLong, aborted: interrupted, startsAfterAbort: false };
    settings.turns?.enter(this);
  }

  /** The tools at the time when the first call was prepared. */
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

  /**
   * Switches to the registry that `registryOf` chooses for the caller. A run that is stopped meanwhile keeps the
   * registry of its settings.
   */
  async chooseRegistry({ registryOf }: AnsweredTurn): Promise<void> {
    if (registryOf === undefined) return;
    const outcome = await this.consult('registryFor', 0, registryOf);
    if (outcome.kind === 'thrown') throw outcome.thrown;
    if (outcome.kind === 'value') this.settings = { ...this.settings, registry: outcome.value };
  }

  /** Ends the turn: calls that have not started fail with `cancelled`. */
  interrupt(): void {
    this.#isInterrupted = true;
  }

  /** Throws `cancelled` once the run is aborted or interrupted: nothing starts after that. */
  assertLive(): void {
    if (this.interrupted) throw this.cancellation();
  }

  /** The error of a call that never started. */
  cancellation(): ToolError {
    return cancelled(this.#supervisor.stopReason);
  }

  /** Sends an event to the listener. Check {@link hasListener} before you build the event. */
  emit(event: ToolEvent): void {
    try {
      const answer: unknown = this.#onEvent?.(event, this.caller);
      // An async listener that rejects must not become an unhandled rejection.
      if (isThenable(answer)) Promise.resolve(answer).catch(() => {});
    } catch {
      // A failing listener never changes the call.
    }
  }

  /**
   * Runs a callback of the host within a time limit. If the run is aborted while the callback runs, the outcome is
   * `stopped` with the error `cancelled`. In a run that is already aborted, a callback starts only if `when` is
   * `after`.
   */
  consult<Value>(
    what: string,
    timeoutMs: number,
    ask: (scope: CallScope) => Value | PromiseLike<Value>,
    when: 'before' | 'after' = 'before',
  ): Promise<Outcome<Value>> {
    return this.#supervisor.supervise(what, timeoutMs, when === 'before' ? askedBefore : askedAfter, ask);
  }

  /**
   * Starts the time limit for preparing a call. All waits by {@link expect} share it; people, hooks and the rate
   * limiter have their own time limits.
   */
  beginPreparation(): void {
    const { resolver, call } = this.settings.limits;
    this.#preparation.leftMs = shorter(resolver.timeoutMs, call.timeoutMs);
  }

  /**
   * Runs a normally quick part of a tool, such as its assessment. Throws its error, or `timeout` if the preparation
   * takes too long.
   */
  expect<Value>(what: string, ask: (scope: CallScope) => Value | PromiseLike<Value>): Promise<Value> {
    return this.#supervisor.expect(what, this.#preparation, askedBefore, ask);
  }

  /** Runs a tool until it ends, the run is aborted, or the shorter of the time limits of call and turn has passed. */
  work<Value>(timeoutMs: number, execute: (scope: CallScope) => Value | PromiseLike<Value>): Promise<Outcome<Value>> {
    const shorterMs = shorter(timeoutMs, this.#timeoutMs);
    return this.#supervisor.supervise('The call', shorterMs, this.#workRules, execute);
  }

  /**
   * Runs the init functions that have not run yet. Runs the init function of the tool `called` again if it failed
   * before this turn. In one turn, no init function runs more than once. If a tool is not ready in time, its stand-in
   * refuses calls with the reason.
   */
  async makeReady(called?: string): Promise<void> {
    const { registry, limits } = this.settings;
    if (this.interrupted) return;
    const { timeoutMs } = limits.resolver;
    const retry = called === undefined ? [] : [called];
    await this.consult('The tools', 0, () => registry.ready({ timeoutMs, retry, turn: this }));
  }

  /** Waits; resolves with false if the run was aborted or interrupted meanwhile. */
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

  /** Stops the turn from outside: running calls are interrupted; calls that wait or have not started are cancelled. */
  stop(reason: string): void {
    this.#supervisor.stop(reason);
  }

  /**
   * Resolves when every call has its result. Read this property while the turn runs: if it is first read after the end,
   * its promise never resolves.
   */
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
    // A tool that never settles keeps its run in memory, so large state is released here.
    this.cuts = undefined;
  }
}

/** The shorter of two time limits; 0 means no limit. */
function shorter(first: number, second: number): number {
  return first === 0 || second === 0 ? Math.max(first, second) : Math.min(first, second);
}

function cancelled(reason = 'operation cancelled'): ToolError {
  return new ToolError('cancelled', reason);
}

function interrupted(reason?: string): ToolError {
  const why = reason === undefined ? '' : `: ${reason}`;
  return new ToolError(
    'interrupted',
    `The call was interrupted while it was running${why}. Its effects until then remain.`,
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

const askedBefore: StopRules = { graceMs: 0, timedOut: noAnswer, aborted: cancelled, startsAfterAbort: false };
const askedAfter: StopRules = { ...askedBefore, startsAfterAbort: true };
