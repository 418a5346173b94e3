import type { Caller } from '../../core/context.js';
import { isRecord, isThenable, withHandledRejection } from '../../core/support/check-values.js';
import { matchesText } from '../../core/text/star-pattern.js';

/** Selects tools of a server by name; `*` matches any characters. */
export interface ToolFilter {
  /** The tools that pass. Default: all. */
  readonly toolAllow?: readonly string[] | undefined;
  /** The tools that do not pass, even if `toolAllow` matches them. */
  readonly toolDeny?: readonly string[] | undefined;
}

/** Whether a tool passes: no pattern of `toolDeny` matches it, and `toolAllow` is undefined or has a match. */
export function passesFilter(tool: string, { toolAllow, toolDeny }: ToolFilter): boolean {
  if (toolDeny?.some((pattern) => matchesText(pattern, tool)) === true) return false;
  return toolAllow === undefined || toolAllow.some((pattern) => matchesText(pattern, tool));
}

/** The tools that a caller may use, as filters by server. A tool must pass all filters of its server. */
export type GrantsFor = (caller: Caller) => Readonly<Record<string, ToolFilter | readonly ToolFilter[]>>;

/** The filters for a caller and a server; undefined if the server is not granted or `grantsFor` fails. */
export function grantOf(
  grantsFor: GrantsFor | undefined,
  server: string,
  caller: Caller,
): readonly ToolFilter[] | undefined {
  if (grantsFor === undefined) return [];
  try {
    const grants: unknown = withHandledRejection(grantsFor(caller));
    const granted: unknown = isRecord(grants) && Object.hasOwn(grants, server) ? grants[server] : undefined;
    const filters = (Array.isArray(granted) ? granted : [granted]).map((filter: unknown) =>
      withHandledRejection(filter),
    );
    return filters.length > 0 && filters.every(isFilter) ? filters : undefined;
  } catch {
    return undefined;
  }
}

function isFilter(filter: unknown): filter is ToolFilter {
  return isRecord(filter) && !isThenable(filter);
}
