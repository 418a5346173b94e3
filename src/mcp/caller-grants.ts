import type { Caller } from '../core/context.js';
import { isRecord } from '../core/support/is-record.js';
import { heard, isThenable } from '../core/support/is-thenable.js';
import type { ToolFilter } from './lists/tool-filter.js';

/** What callers may use, by server. */
export type GrantsFor = (caller: Caller) => Readonly<Record<string, ToolFilter>>;

/** What a caller may use of a server; undefined where that is nothing, and where it cannot be decided. */
export function grantOf(grantsFor: GrantsFor | undefined, server: string, caller: Caller): ToolFilter | undefined {
  if (grantsFor === undefined) return {};
  try {
    const grants: unknown = heard(grantsFor(caller));
    const granted = isRecord(grants) && Object.hasOwn(grants, server) ? heard(grants[server]) : undefined;
    return isRecord(granted) && !isThenable(granted) ? granted : undefined;
  } catch {
    return undefined;
  }
}
