/** What one key has used of its share. Times are monotonic milliseconds. */
export interface RateMeter {
  /**
   * 0 when the cost can be taken now, else the milliseconds until it could; Infinity when it never can. Changes
   * nothing.
   */
  waitMs(cost: number, now: number): number;
  /** Takes the cost, which {@link waitMs} must have granted, and answers what remains. */
  take(cost: number, now: number): number;
}

/** Makes the meter of a key that is seen for the first time. */
export type MakeMeter = (max: number, windowMs: number) => RateMeter;
