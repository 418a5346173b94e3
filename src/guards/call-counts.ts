import type { PlainCallResult } from '../core/call.js';

/** Sums over some calls. */
export interface CallCounts {
  /** Calls that have ended, including refused ones. */
  readonly calls: number;
  /** How many of them failed or were refused, by error code. */
  readonly failures: Readonly<Record<string, number>>;
  /** The sum in milliseconds, including waits and questions. */
  readonly durationMs: number;
  /** The longest, in milliseconds. */
  readonly maxDurationMs: number;
  /** Characters of the inputs, as JSON, of calls that started. */
  readonly charsIn: number;
  /** Characters of the outputs, before `limits.output.maxTurnChars` shortens them. */
  readonly charsOut: number;
  /** The cost of the calls that started, in the unit of the prices. Absent if no tool has a price. */
  readonly cost?: number;
}

/** Facts about a call that its result does not contain. */
export interface CallFacts {
  /** Default 0. */
  readonly charsIn?: number;
  /** Default: its tool has no price. */
  readonly price?: number;
}

/** Adds up calls. */
export class CallTotals {
  #calls = 0;
  readonly #failures = new Map<string, number>();
  #durationMs = 0;
  #maxDurationMs = 0;
  #charsIn = 0;
  #charsOut = 0;
  #cost: number | undefined;

  add(result: PlainCallResult, { charsIn = 0, price }: CallFacts): void {
    this.plus({
      calls: 1,
      failures: result.ok ? {} : { [result.error.code]: 1 },
      durationMs: result.durationMs,
      maxDurationMs: result.durationMs,
      charsIn,
      charsOut: result.output.length,
      ...(price === undefined ? {} : { cost: price }),
    });
  }

  plus(more: CallCounts): void {
    this.#calls += more.calls;
    for (const [code, times] of Object.entries(more.failures))
      this.#failures.set(code, (this.#failures.get(code) ?? 0) + times);
    this.#durationMs += more.durationMs;
    this.#maxDurationMs = Math.max(this.#maxDurationMs, more.maxDurationMs);
    this.#charsIn += more.charsIn;
    this.#charsOut += more.charsOut;
    if (more.cost !== undefined) this.#cost = (this.#cost ?? 0) + more.cost;
  }

  counts(): CallCounts {
    return {
      calls: this.#calls,
      failures: Object.fromEntries(this.#failures),
      durationMs: this.#durationMs,
      maxDurationMs: this.#maxDurationMs,
      charsIn: this.#charsIn,
      charsOut: this.#charsOut,
      ...(this.#cost === undefined ? {} : { cost: this.#cost }),
    };
  }
}
