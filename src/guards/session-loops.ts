import type { Footprint } from '../core/tool.js';
import type { PreToolUseEvent } from '../ports/hooks.js';
import { canMatter, touchedBy } from './call-footprint.js';
import { type Forgivable, guess } from './unconfirmed-changes.js';

/** A call as hooks see it. Calls of one key are one and the same. */
export interface SeenCall extends PreToolUseEvent {
  readonly key: string;
}

/** How often is too often. */
export interface LoopLimits {
  /** The same call with the same result, in one session, with nothing changed in between that can matter to it. */
  readonly maxSameCalls: number;
  /** Failures of one tool in a row. */
  readonly maxFailures: number;
}

/** How often something has happened, and how much of that still counts against it: a denial takes some back. */
interface Streak {
  times: number;
  strikes: number;
}

interface Repeat extends Streak, Forgivable {
  readonly result: string;
  readonly footprint: Footprint;
}

const maxRemembered = 1_000;
const noChange = 'Repeating it will not change that';

/**
 * What one agent of one session has been doing, as far as it shows whether it goes in circles. A denial is the pause
 * that was asked for: the next such call is let through, to show whether something has changed.
 */
export class SessionLoops {
  readonly #limits: LoopLimits;
  readonly #repeats = new Map<string, Repeat>();
  readonly #failures = new Map<string, Streak>();
  /** What calls that act have come to, each with its input. */
  readonly #outcomes = new Map<string, true>();

  constructor(limits: LoopLimits) {
    this.#limits = limits;
  }

  /** Why a call should not run; undefined when it may. */
  objection(call: SeenCall): string | undefined {
    return this.#repeatObjection(call) ?? this.#failureObjection(call);
  }

  /**
   * Takes note of a result, undefined for one that may well come again; answers what the model should hear, if
   * anything.
   */
  succeeded(call: SeenCall, result: string | undefined): string | undefined {
    this.#failures.delete(call.tool);
    if (result === undefined) return undefined;
    this.#noteChange(call, result);
    const repeat = this.#noteRepeat(call, result);
    return repeat.strikes === this.#noteAt
      ? `This call gave the same result ${repeat.times} times. ${noChange}; try another way.`
      : undefined;
  }

  /** Takes note of a failure; answers what the model should hear, if anything. */
  failed(call: SeenCall, message: string): string | undefined {
    const { tool } = call;
    const failures = this.#failures.get(tool) ?? { times: 0, strikes: 0 };
    this.#failures.set(tool, strike(failures));
    const repeat = this.#noteRepeat(call, message);
    if (repeat.strikes === this.#noteAt)
      return `This call failed in the same way ${repeat.times} times. ${noChange}; read the message and try another way.`;
    if (failures.strikes === this.#limits.maxFailures)
      return `${tool} failed ${inARow(failures)}. Stop and find out why before you use it again.`;
    return undefined;
  }

  /** Nothing is the same before it has happened twice. */
  get #noteAt(): number {
    return Math.max(2, this.#limits.maxSameCalls);
  }

  #repeatObjection({ key }: SeenCall): string | undefined {
    const repeat = this.#repeats.get(key);
    if (repeat === undefined || repeat.isFresh || repeat.strikes <= this.#limits.maxSameCalls) return undefined;
    repeat.strikes = this.#noteAt - 1;
    return (
      `this very call gave the same result ${times(repeat)}, and nothing done in between has changed that; do ` +
      'something else'
    );
  }

  #failureObjection({ tool }: SeenCall): string | undefined {
    const failures = this.#failures.get(tool);
    const { maxFailures } = this.#limits;
    if (failures === undefined || failures.strikes <= maxFailures) return undefined;
    failures.strikes = maxFailures - 1;
    return `${tool} failed ${inARow(failures)}; look at what it said, use another tool first`;
  }

  /**
   * A call that acts has changed something unless it came to the same before: two calls that take turns change nothing.
   */
  #noteChange(call: SeenCall, result: string): void {
    const { writes } = touchedBy(call);
    if (writes === 'nothing') return;
    const outcome = `${call.key}${result}`;
    const isNew = !this.#outcomes.has(outcome);
    remember(this.#outcomes, outcome, true);
    if (!isNew) return;
    for (const repeat of this.#repeats.values()) {
      if (writes === 'everything') guess(repeat);
      else if (canMatter(writes, repeat.footprint)) repeat.isFresh = true;
    }
  }

  #noteRepeat(call: SeenCall, result: string): Repeat {
    const known = this.#repeats.get(call.key);
    const hasSameResult = known?.result === result;
    // Another call in between does not break a circle, but a change that can matter does, that of its result included.
    const repeat =
      hasSameResult && !known.isFresh
        ? known
        : {
            result,
            footprint: touchedBy(call),
            times: 0,
            strikes: 0,
            isFresh: false,
            guesses: hasSameResult ? known.guesses : 0,
          };
    remember(this.#repeats, call.key, strike(repeat));
    return repeat;
  }
}

function strike<Counted extends Streak>(streak: Counted): Counted {
  streak.times += 1;
  streak.strikes += 1;
  return streak;
}

function times({ times: count }: Streak): string {
  return count === 1 ? 'once' : `${count} times`;
}

function inARow(streak: Streak): string {
  return streak.times === 1 ? 'once' : `${times(streak)} in a row`;
}

/** Puts an entry last, and forgets the one that has been there longest when there are too many. */
function remember<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > maxRemembered && oldest !== undefined) entries.delete(oldest);
}
