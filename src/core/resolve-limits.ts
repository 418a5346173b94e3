import { defaultLimits, type LimitOverrides, type Limits } from './limits.js';
import { didYouMean } from './support/near-names.js';

/**
 * Merges overrides into the defaults. For an unknown group or name, throws a TypeError that suggests similar names.
 * Also throws for a value that is not a number from 0 up (Infinity is valid), and for a count that is not a whole
 * number.
 */
export function resolveLimits(overrides: LimitOverrides = {}, base: Limits = defaultLimits): Limits {
  const merged: Record<string, Readonly<Record<string, number>>> = { ...base };
  for (const [group, values] of Object.entries(overrides)) {
    const defaults = merged[group];
    if (defaults === undefined || !Object.hasOwn(defaultLimits, group))
      throw new TypeError(`limits.${group} is not a group of limits.${didYouMean(group, Object.keys(defaultLimits))}`);
    if (values === undefined) continue;
    if (typeof values !== 'object' || values === null)
      throw new TypeError(`limits.${group} takes an object of limits, not ${String(values)}`);
    merged[group] = mergeNumbers(`limits.${group}`, defaults, values);
  }
  return Object.freeze(merged) as Limits;
}

/**
 * Merges overrides into the numbers of one group; `where` names the group in error messages. Throws as {@link
 * resolveLimits} does.
 */
export function mergeNumbers<Numbers extends Readonly<Record<string, number>>>(
  where: string,
  defaults: Numbers,
  values: Readonly<Record<string, unknown>>,
): Numbers {
  const merged: Record<string, number> = { ...defaults };
  for (const [name, value] of Object.entries(values)) {
    if (!Object.hasOwn(defaults, name))
      throw new TypeError(`${where}.${name} is not a limit.${didYouMean(name, Object.keys(defaults))}`);
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0))
      throw new TypeError(`${where}.${name} must be a number from 0 up, not ${String(value)}`);
    if (!name.endsWith('Ms') && value !== Number.POSITIVE_INFINITY && !Number.isInteger(value))
      throw new TypeError(`${where}.${name} must be a whole number, not ${value}`);
    merged[name] = value;
  }
  return Object.freeze(merged) as Numbers;
}
