import { assertKnownKeys, isRecord } from '../../core/support/check-values.js';
import { meansTool } from '../../core/tool-names.js';

/** A number of calls within a window of time. */
export interface RateLimit {
  /** Calls in a window, or the sum of their costs; 0 lets nothing run, Infinity is no limit. */
  readonly max: number;
  /** Length of the window in milliseconds. Default one hour. */
  readonly windowMs?: number | undefined;
}

/** A limit for all tools of a session together, and further limits for single tools. */
export interface RateLimits extends RateLimit {
  /**
   * By tool name in any letter case, or by a usual alias; all limits that name a tool apply to it. Patterns are not
   * supported. Default window: that of all tools.
   */
  readonly perTool?: Readonly<Record<string, RateLimit>> | undefined;
  /** Cost of a call by tool name as above. Default 1. A cost in the request takes precedence. */
  readonly costs?: Readonly<Record<string, number>> | undefined;
}

/** A validated limit. */
export interface KnownLimit extends Required<RateLimit> {
  /** Name of the limited tool; undefined for all tools. */
  readonly tool: string | undefined;
  readonly windowMs: number;
}

const hourMs = 3_600_000;

const limitKeys = { max: true, windowMs: true } satisfies Record<keyof RateLimit, true>;
const optionKeys = { ...limitKeys, perTool: true, costs: true } satisfies Record<keyof RateLimits, true>;

/**
 * Validates the limits in options; the limit for all tools comes first. Throws a TypeError for an invalid limit, and for
 * an option that is neither a field of {@link RateLimits} nor one of `others`.
 */
export function limitsOf(
  what: string,
  options: unknown,
  others: Readonly<Record<string, true>> = {},
): readonly KnownLimit[] {
  const record = (wanted: string, value: unknown, known?: Readonly<Record<string, true>>) => {
    if (!isRecord(value)) throw new TypeError(`${what}: ${wanted}`);
    if (known !== undefined) assertKnownKeys(what, value, known);
    return value;
  };
  const overall = record('pass options, such as { max: 100 }', options, { ...optionKeys, ...others });
  const { perTool = {}, costs = {}, max, windowMs } = overall;
  const tools = Object.entries(record('perTool must be an object of limits by tool', perTool)).map(([tool, limit]) => {
    const own = record(`perTool.${tool} must be a limit, such as { max: 5 }`, limit, limitKeys);
    return { tool, name: `perTool.${tool}.max`, max: own.max, windowMs: own.windowMs ?? windowMs };
  });
  record('costs must be an object of numbers by tool', costs);
  return [{ tool: undefined, name: 'max', max, windowMs }, ...tools].map((limit) => ({
    tool: limit.tool,
    max: checkMax(`${what}: ${limit.name}`, limit.max),
    windowMs: checkWindow(what, limit.windowMs),
  }));
}

/** Returns the cost of a call by tool: the highest of its names, or 1. Throws a TypeError for an invalid cost. */
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

function checkMax(name: string, max: unknown): number {
  if (max === Number.POSITIVE_INFINITY || (Number.isSafeInteger(max) && Number(max) >= 0)) return Number(max);
  throw new TypeError(`${name} must be a whole number from 0 up, or Infinity, not ${String(max)}`);
}

function checkWindow(what: string, windowMs: unknown = hourMs): number {
  if (Number.isFinite(windowMs) && Number(windowMs) > 0) return Number(windowMs);
  throw new TypeError(`${what}: windowMs must be more than 0, not ${String(windowMs)}`);
}
