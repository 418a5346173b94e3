import type { RateMeter } from './rate-meter.js';

// Refilling by fractions leaves errors of rounding; a whole token must not be missed for them.
const tolerance = 1e-6;

/**
 * Holds up to `max` tokens, full at first, and refills evenly, `max` of them in `windowMs`: bursts up to `max`, and
 * never more than that rate for long.
 */
export function tokenBucket(max: number, windowMs: number): RateMeter {
  const perMs = max / windowMs;
  let used = 0;
  let usedAt = 0;

  const usedBy = (now: number) => Math.max(0, used - Math.max(0, now - usedAt) * perMs);

  return {
    waitMs: (cost, now) => {
      if (cost > max) return Number.POSITIVE_INFINITY;
      const excess = usedBy(now) + cost - max;
      return excess <= tolerance ? 0 : Math.max(1, Math.ceil(excess / perMs));
    },
    take: (cost, now) => {
      used = usedBy(now) + cost;
      usedAt = Math.max(usedAt, now);
      return Math.max(0, Math.floor(max - used + tolerance));
    },
  };
}
