import type { CallScope } from '../../core/context.js';
import type { GlobQuery, GlobResult } from '../../ports/file-system.js';
import { verifiedPaths } from './drop-outside-results.js';
import type { DiskSearchOptions } from './engines.js';
import { globInTurns } from './glob/engine.js';
import { checkGlobQuery, searchStart } from './query/check.js';

/**
 * Finds files by glob, including hidden files, newest first. Folders named `.git` are left out, except where the
 * literal start of the pattern or the path leads into one. Ignored files are left out, except in a folder whose name
 * occurs literally in the pattern or the path. Rejects with `invalid_input` for a wrong pattern, and with
 * `path_outside_root` for a pattern that leaves the roots.
 */
export async function globFiles(options: DiskSearchOptions, query: GlobQuery, scope: CallScope): Promise<GlobResult> {
  checkGlobQuery(query);
  const { roots, engines, limits } = options;
  const sinceMs = Date.now();
  const start = await searchStart(query.path ?? roots[0] ?? '/', roots);
  const above = query.relativeTo === undefined ? undefined : { cwd: query.relativeTo, within: start.directory };
  const place = { cwd: start.directory, roots, ...above };
  const run = { signal: scope.signal, timeoutMs: limits.glob.timeoutMs };
  const found = await globInTurns(engines.turns, query, place, run);
  return { ...found, paths: verifiedPaths(found.paths, { roots, sinceMs }) };
}
