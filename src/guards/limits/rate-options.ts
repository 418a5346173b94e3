import { assertOptions, kindOf, type OptionKind, type OptionKinds } from '../../core/support/check-values.js';
import { meansTool } from '../../core/tool-names.js';

/** A number of calls within a window of time. */
export interface RateLimit {
  /** Calls in a window, or the sum of their costs; 0 refuses every call, Infinity means no limit. */
  readonly max: number;
  /** Length of the window in milliseconds. Default one hour. */
  readonly windowMs?: number | undefined;
}

/** A limit for all tools of a session together, and further limits for single tools. */
export interface RateLimits extends RateLimit {
  /**
   * Limits by tool name in any letter case, or by a usual alias. All limits that name a tool apply to it. Patterns are
   * not supported. Default window: the window for all tools.
   */
  readonly perTool?: Readonly<Record<string, RateLimit>> | undefined;
  /** Cost of a call, by tool name or alias as in `perTool`. Default 1. A cost in the request takes precedence. */
  readonly costs?: Readonly<Record<string, number>> | undefined;
}

/** A validated limit. */
export interface KnownLimit extends Required<RateLimit> {
  readonly tool: string | undefined;
  readonly windowMs: number;
}

const hourMs = 3_600_000;

const maxKind: OptionKind<number> = {
  takes: 'a whole number from 0 up, or Infinity',
  isShown: true,
  holds: (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= 0),
};
const windowKind: OptionKind<number> = {
  takes: 'a number above 0',
  isShown: true,
  holds: (value) => Number.isFinite(value) && Number(value) > 0,
};
const limitKinds: OptionKinds<RateLimit> = { max: maxKind, windowMs: windowKind };
const rateKinds: OptionKinds<RateLimits> = { ...limitKinds, perTool: kindOf.record, costs: kindOf.record };

/**
 * Validates the limits in options; the limit for all tools comes first. Throws a TypeError for an invalid limit and for
 * an option that is neither a field of {@link RateLimits} nor one of `others`.
 */
export function limitsOf<Options extends RateLimits>(
  what: string,
  options: Options,
  others: OptionKinds<Omit<Options, keyof RateLimits>>,
  ...needs: readonly string[]
): readonly KnownLimit[] {
  assertOptions(what, options, { ...rateKinds, ...others }, 'max', ...needs);
  const { max, windowMs = hourMs, perTool = {} } = options;
  const tools = Object.entries(perTool).map(([tool, limit]) => {
    assertOptions(`${what}: perTool.${tool}`, limit, limitKinds, 'max');
    return { tool, max: limit.max, windowMs: limit.windowMs ?? windowMs };
  });
  return [{ tool: undefined, max, windowMs }, ...tools];
}

/**
 * Returns a function that gives the cost of a tool: the highest cost listed under its name or an alias, or 1 if none is
 * listed. Throws a TypeError for an invalid cost.
 */
export function costsOf(what: string, costs: Readonly<Record<string, number>> = {}): (tool: string) => number {
  const named = Object.entries(costs);
  for (const [name, cost] of named) checkCost(`${what}: costs.${name}`, cost);
  return (tool) => {
    const own = named.flatMap(([name, cost]) => (meansTool(name, tool) ? cost : []));
    return own.length === 0 ? 1 : Math.max(...own);
  };
}

/** Throws a TypeError for a cost that is not a number from 0 up. */
export function checkCost(name: string, cost: number): void {
  if (!(Number.isFinite(cost) && cost >= 0))
    throw new TypeError(`${name} must be a number from 0 up, not ${String(cost)}`);
}
