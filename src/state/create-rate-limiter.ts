import type { RateAnswer, RateLimiter, RateRequest } from '../host/rate-limiter.js';

/** How many calls in how much time. */
export interface RateLimit {
  /** Calls in a window; 0 = nothing runs, Infinity = no limit. */
  readonly max: number;
  /** Length of the sliding window in milliseconds. Default one hour. */
  readonly windowMs?: number;
}

/** A limit for all tools of a session together, and further ones for single tools. */
export interface RateLimiterOptions extends RateLimit {
  readonly perTool?: Readonly<Record<string, RateLimit>>;
  /** Monotonic milliseconds, for tests. */
  readonly now?: () => number;
}

/** A limiter that answers at once. */
export interface MemoryRateLimiter extends RateLimiter {
  take(request: RateRequest): RateAnswer;
}

const hourMs = 3_600_000;
const maxIdleKeys = 10_000;

/**
 * A sliding-window limiter in memory, by key. Checking and taking are one step, and a refused call takes nothing.
 * Throws a TypeError for a `max` that is neither a whole number from 0 up nor Infinity.
 */
export function createRateLimiter({ perTool = {}, now = () => performance.now(), ...overall }: RateLimiterOptions): MemoryRateLimiter {
  const windows = new Windows(checkLimit('max', overall), now);
  const tools = new Map(Object.entries(perTool).map(([tool, limit]) => [tool, new Windows(checkLimit(`perTool.${tool}.max`, limit), now)]));
  return {
    take: ({ key, tool, cost = 1 }: RateRequest): RateAnswer => {
      const concerned = [windows, tools.get(tool)].filter((one) => one !== undefined);
      const waits = concerned.map((one) => one.waitFor(key, cost));
      const retryAfterMs = Math.max(...waits);
      if (retryAfterMs > 0) return { ok: false, retryAfterMs };
      return { ok: true, remaining: Math.min(...concerned.map((one) => one.take(key, cost))) };
    },
  };
}

interface Taken {
  readonly at: number;
  readonly cost: number;
}

/** What each key took within the last window. */
class Windows {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #taken = new Map<string, Taken[]>();

  constructor({ max, windowMs = hourMs }: RateLimit, now: () => number) {
    this.#max = max;
    this.#windowMs = windowMs;
    this.#now = now;
  }

  /** 0 when the cost can be taken now, else the milliseconds until it could; Infinity when it never can. */
  waitFor(key: string, cost: number): number {
    if (this.#max === Number.POSITIVE_INFINITY) return 0;
    if (cost > this.#max) return Number.POSITIVE_INFINITY;
    const taken = this.#current(key);
    let excess = sum(taken) + cost - this.#max;
    if (excess <= 0) return 0;
    for (const { at, cost: freed } of taken) {
      excess -= freed;
      if (excess <= 0) return Math.max(1, Math.ceil(at + this.#windowMs - this.#now()));
    }
    return this.#windowMs;
  }

  /** Takes the cost and answers what remains. */
  take(key: string, cost: number): number {
    if (this.#max === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    const taken = this.#current(key);
    taken.push({ at: this.#now(), cost });
    this.#taken.set(key, taken);
    if (this.#taken.size > maxIdleKeys) this.#forgetIdle();
    return this.#max - sum(taken);
  }

  #current(key: string): Taken[] {
    const taken = this.#taken.get(key) ?? [];
    const start = this.#now() - this.#windowMs;
    const alive = taken.findIndex(({ at }) => at > start);
    taken.splice(0, alive === -1 ? taken.length : alive);
    return taken;
  }

  #forgetIdle(): void {
    for (const key of [...this.#taken.keys()]) if (this.#current(key).length === 0) this.#taken.delete(key);
  }
}

function sum(taken: readonly Taken[]): number {
  return taken.reduce((total, { cost }) => total + cost, 0);
}

function checkLimit(name: string, limit: RateLimit): RateLimit {
  const { max, windowMs = hourMs } = limit;
  if (max !== Number.POSITIVE_INFINITY && !(Number.isSafeInteger(max) && max >= 0)) {
    throw new TypeError(`createRateLimiter: ${name} must be a whole number from 0 up, or Infinity, not ${String(max)}`);
  }
  if (!(windowMs > 0)) throw new TypeError(`createRateLimiter: windowMs must be more than 0, not ${String(windowMs)}`);
  return limit;
}
