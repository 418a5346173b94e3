import { stateNumbers } from '../../core/numbers.js';
import { isRecord } from '../../core/support/is-record.js';
import { assertKnownKeys } from '../../core/support/known-keys.js';
import type { RateAnswer, RateLimiter, RateRequest } from '../../host/rate-limiter.js';
import { KeyedMeters } from './keyed-meters.js';
import type { MakeMeter } from './rate-meter.js';
import { slidingWindow } from './sliding-window.js';
import { tokenBucket } from './token-bucket.js';

/** How many calls in how much time. */
export interface RateLimit {
  /** What a window holds: calls, or what they cost; 0 = nothing runs, Infinity = no limit. */
  readonly max: number;
  /** Length of the window in milliseconds: the time in which `max` comes back. Default one hour. */
  readonly windowMs?: number | undefined;
}

/** A limit for all tools of a session together, and further ones for single tools. */
export interface RateLimiterOptions extends RateLimit {
  /**
   * `sliding-window` (default): no window of `windowMs`, wherever it begins, holds more than `max`. `token-bucket`:
   * `max` at once, and then as many as trickle in again, `max` in `windowMs`; takes the same little memory for any
   * `max`.
   */
  readonly algorithm?: 'sliding-window' | 'token-bucket' | undefined;
  /**
   * By exact tool name, as the registry lists it: an alias, another letter case or a pattern limits nothing. Default
   * window: the one for all tools.
   */
  readonly perTool?: Readonly<Record<string, RateLimit>> | undefined;
  /** What a call of a tool costs, by exact name, where that is not 1. A cost in the request goes before it. */
  readonly costs?: Readonly<Record<string, number>> | undefined;
  /**
   * Keys (sessions) that are counted at the same time; past it the one that has been idle longest begins anew. Default
   * a million.
   */
  readonly maxKeys?: number | undefined;
  /** Monotonic milliseconds, for tests. */
  readonly now?: (() => number) | undefined;
}

/** A limiter that answers at once. */
export interface MemoryRateLimiter extends RateLimiter {
  /** Throws a TypeError for a cost that is no number from 0 up. */
  take(request: RateRequest): RateAnswer;
}

const hourMs = 3_600_000;

const limitKeys = { max: true, windowMs: true } satisfies Record<keyof RateLimit, true>;
const optionKeys = {
  ...limitKeys,
  algorithm: true,
  perTool: true,
  costs: true,
  maxKeys: true,
  now: true,
} satisfies Record<keyof RateLimiterOptions, true>;

const algorithms: Readonly<Record<string, MakeMeter>> = {
  'sliding-window': slidingWindow,
  'token-bucket': tokenBucket,
};

/**
 * A limiter in memory, by key. Checking and taking are one step, and a refused call takes nothing. Throws a TypeError
 * for a `max` that is neither a whole number from 0 up nor Infinity, for an unknown option, and for others that make no
 * sense.
 */
export function createRateLimiter(options: RateLimiterOptions): MemoryRateLimiter {
  checkOptions(options);
  const {
    algorithm = 'sliding-window',
    perTool = {},
    maxKeys = stateNumbers.maxRateKeys,
    now = () => performance.now(),
    ...overall
  } = options;
  const make = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm] : undefined;
  if (make === undefined)
    throw new TypeError(
      `createRateLimiter: algorithm must be sliding-window or token-bucket, not ${String(algorithm)}`,
    );
  if (!(Number.isSafeInteger(maxKeys) && maxKeys > 0))
    throw new TypeError(`createRateLimiter: maxKeys must be a whole number from 1 up, not ${String(maxKeys)}`);
  const meters = (name: string, limit: RateLimit) =>
    new KeyedMeters(checkMax(name, limit.max), checkWindow(limit.windowMs), maxKeys, make);
  const all = meters('max', overall);
  const tools = new Map(
    Object.entries(perTool).map(([tool, limit]) => [
      tool,
      meters(`perTool.${tool}.max`, { max: limit.max, windowMs: limit.windowMs ?? overall.windowMs }),
    ]),
  );
  const costs = checkCosts('createRateLimiter', options.costs);

  return {
    take: ({ key, tool, cost = costs.get(tool) ?? 1 }: RateRequest): RateAnswer => {
      checkCost('cost', cost);
      const at = now();
      const own = tools.get(tool);
      const retryAfterMs = Math.max(all.waitMs(key, cost, at), own?.waitMs(key, cost, at) ?? 0);
      if (retryAfterMs > 0) return { ok: false, retryAfterMs };
      return {
        ok: true,
        remaining: Math.min(all.take(key, cost, at), own?.take(key, cost, at) ?? Number.POSITIVE_INFINITY),
      };
    },
  };
}

function checkOptions(options: unknown): void {
  const { perTool = {}, costs = {}, now } = checkRecord('pass options, such as { max: 100 }', options, optionKeys);
  const limits = checkRecord('perTool must be an object of limits by tool', perTool);
  for (const [tool, limit] of Object.entries(limits))
    checkRecord(`perTool.${tool} must be a limit, such as { max: 5 }`, limit, limitKeys);
  checkRecord('costs must be an object of numbers by tool', costs);
  if (now !== undefined && typeof now !== 'function') throw new TypeError('createRateLimiter: now must be a function');
}

function checkRecord(
  wanted: string,
  value: unknown,
  known?: Readonly<Record<string, true>>,
): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new TypeError(`createRateLimiter: ${wanted}`);
  if (known !== undefined) assertKnownKeys('createRateLimiter', value, known);
  return value;
}

/** Costs by tool, checked. Throws a TypeError for one that is no number from 0 up. */
export function checkCosts(what: string, costs: Readonly<Record<string, number>> = {}): ReadonlyMap<string, number> {
  for (const [tool, cost] of Object.entries(costs)) checkCost(`${what}: costs.${tool}`, cost);
  return new Map(Object.entries(costs));
}

function checkCost(name: string, cost: number): void {
  if (!(Number.isFinite(cost) && cost >= 0))
    throw new TypeError(`${name} must be a number from 0 up, not ${String(cost)}`);
}

function checkMax(name: string, max: number): number {
  if (max === Number.POSITIVE_INFINITY || (Number.isSafeInteger(max) && max >= 0)) return max;
  throw new TypeError(`createRateLimiter: ${name} must be a whole number from 0 up, or Infinity, not ${String(max)}`);
}

function checkWindow(windowMs = hourMs): number {
  if (Number.isFinite(windowMs) && windowMs > 0) return windowMs;
  throw new TypeError(`createRateLimiter: windowMs must be more than 0, not ${String(windowMs)}`);
}
