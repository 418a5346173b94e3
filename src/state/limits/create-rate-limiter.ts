import { stateNumbers } from '../../core/numbers.js';
import { isRecord } from '../../core/support/is-record.js';
import { assertKnownKeys } from '../../core/support/known-keys.js';
import { meansTool } from '../../core/tool-names.js';
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
   * By tool name, in any letter case, or by one of the usual aliases; every limit that means a tool holds. A pattern
   * limits nothing. Default window: the one for all tools.
   */
  readonly perTool?: Readonly<Record<string, RateLimit>> | undefined;
  /** What a call of a tool costs, by name as above, where that is not 1; a cost in the request goes before it. */
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
  const tools = Object.entries(perTool).map(([name, limit]) => ({
    name,
    meter: meters(`perTool.${name}.max`, { max: limit.max, windowMs: limit.windowMs ?? overall.windowMs }),
  }));
  const costOf = costsOf('createRateLimiter', options.costs);

  return {
    names: Object.keys({ ...perTool, ...options.costs }),
    take: ({ key, tool, cost = costOf(tool) }: RateRequest): RateAnswer => {
      checkCost('cost', cost);
      const at = now();
      const held = [all, ...tools.flatMap(({ name, meter }) => (meansTool(name, tool) ? meter : []))];
      const retryAfterMs = Math.max(...held.map((meter) => meter.waitMs(key, cost, at)));
      if (retryAfterMs > 0) return { ok: false, retryAfterMs };
      return { ok: true, remaining: Math.min(...held.map((meter) => meter.take(key, cost, at))) };
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

/** What a call of a tool costs: the most that a name for it says, or 1. Throws a TypeError for a cost that is none. */
export function costsOf(what: string, costs: Readonly<Record<string, number>> = {}): (tool: string) => number {
  const named = Object.entries(costs);
  for (const [name, cost] of named) checkCost(`${what}: costs.${name}`, cost);
  return (tool) => {
    const own = named.flatMap(([name, cost]) => (meansTool(name, tool) ? cost : []));
    return own.length === 0 ? 1 : Math.max(...own);
  };
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
