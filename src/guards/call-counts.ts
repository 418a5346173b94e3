import type { PlainCallResult } from '../core/call.js';

/** Counts of a set of calls. */
export interface CallCounts {
  /** Calls that have ended, including refused ones. */
  readonly calls: number;
  /** The number of failed or refused calls, by error code. */
  readonly failures: Readonly<Record<string, number>>;
  /** The sum of the durations in milliseconds, including the time that calls waited, also for answers to questions. */
  readonly durationMs: number;
  /** The longest duration of one call, in milliseconds. */
  readonly maxDurationMs: number;
  /** Characters of the inputs, as JSON, of calls that started. */
  readonly charsIn: number;
  /** Characters of the outputs, before `limits.output.maxTurnChars` shortens them. */
  readonly charsOut: number;
  /** The cost of the calls that started, in the unit of the prices. Absent if no tool has a price. */
  readonly cost?: number;
}

export const noCounts: CallCounts = {
  calls: 0,
  failures: {},
  durationMs: 0,
  maxDurationMs: 0,
  charsIn: 0,
  charsOut: 0,
};

/** The counts of one call: its result, the characters of its input as JSON, and its price if its tool has one. */
export function countsOf(
  result: PlainCallResult,
  { charsIn = 0, price }: { readonly charsIn?: number; readonly price?: number },
): CallCounts {
  return {
    calls: 1,
    failures: result.ok ? {} : { [result.error.code]: 1 },
    durationMs: result.durationMs,
    maxDurationMs: result.durationMs,
    charsIn,
    charsOut: result.output.length,
    ...(price === undefined ? {} : { cost: price }),
  };
}

export function sumOf(one: CallCounts, other: CallCounts): CallCounts {
  const failures = new Map(Object.entries(one.failures));
  for (const [code, times] of Object.entries(other.failures)) failures.set(code, (failures.get(code) ?? 0) + times);
  const cost = one.cost === undefined ? other.cost : one.cost + (other.cost ?? 0);
  return {
    calls: one.calls + other.calls,
    failures: Object.fromEntries(failures),
    durationMs: one.durationMs + other.durationMs,
    maxDurationMs: Math.max(one.maxDurationMs, other.maxDurationMs),
    charsIn: one.charsIn + other.charsIn,
    charsOut: one.charsOut + other.charsOut,
    ...(cost === undefined ? {} : { cost }),
  };
}
