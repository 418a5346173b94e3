import type { RateMeter } from './rate-meter.js';

interface Taken {
  readonly at: number;
  readonly cost: number;
}

/**
 * Grants as long as all that was taken within the last `windowMs`, whenever that window began, stays within `max`.
 * Exact.
 */
export function slidingWindow(max: number, windowMs: number): RateMeter {
  let taken: Taken[] = [];
  let first = 0;
  let sum = 0;

  const forget = (now: number) => {
    for (; first < taken.length; first++) {
      const oldest = taken[first] as Taken;
      if (oldest.at > now - windowMs) break;
      sum -= oldest.cost;
    }
    if (first === taken.length) sum = 0;
    if (first * 2 <= taken.length) return;
    taken = taken.slice(first);
    first = 0;
  };

  return {
    waitMs: (cost, now) => {
      if (cost > max) return Number.POSITIVE_INFINITY;
      forget(now);
      let excess = sum + cost - max;
      if (excess <= 0) return 0;
      for (let index = first; index < taken.length; index++) {
        const { at, cost: freed } = taken[index] as Taken;
        excess -= freed;
        if (excess <= 0) return Math.max(1, Math.ceil(at + windowMs - now));
      }
      return windowMs;
    },
    take: (cost, now) => {
      if (cost > 0) taken.push({ at: now, cost });
      sum += cost;
      return max - sum;
    },
  };
}
