import type { GrepQuery, GrepResult } from '../../../ports/file-system.js';

/** The page of a query for paths. `isCut` says that `paths` is incomplete. */
export function pageOfPaths(
  paths: readonly string[],
  { offset = 0, limit }: Pick<GrepQuery, 'offset' | 'limit'>,
  isCut: boolean,
): Pick<GrepResult, 'lines' | 'truncated' | 'total'> {
  return {
    lines: paths.slice(offset, offset + limit),
    truncated: isCut || paths.length > offset + limit,
    total: isCut ? undefined : paths.length,
  };
}
