import type { Caller } from '../core/context.js';
import { isRecord } from '../core/support/is-record.js';
import { heard, isThenable } from '../core/support/is-thenable.js';
import type { ToolFilter } from './lists/tool-filter.js';

/** What callers may use, by server. A tool must pass all of several filters. */
export type GrantsFor = (caller: Caller) => Readonly<Record<string, ToolFilter | readonly ToolFilter[]>>;

/** What a caller may use of a server; undefined where that is nothing, and where it cannot be decided. */
export function grantOf(
  grantsFor: GrantsFor | undefined,
  server: string,
  caller: Caller,
): readonly ToolFilter[] | undefined {
  if (grantsFor === undefined) return [];
  try {
    const grants: unknown = heard(grantsFor(caller));
    const granted: unknown = isRecord(grants) && Object.hasOwn(grants, server) ? grants[server] : undefined;
    const filters = (Array.isArray(granted) ? granted : [granted]).map((filter: unknown) => heard(filter));
    return filters.length > 0 && filters.every(isFilter) ? filters : undefined;
  } catch {
    return undefined;
  }
}

function isFilter(filter: unknown): filter is ToolFilter {
  return isRecord(filter) && !isThenable(filter);
}
