import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { GlobQuery, GlobResult } from '../host/file-system.js';
import { SearchEngines } from './search-engines.js';
import type { SearchOptions } from './search-options.js';
import { searchStart } from './search-start.js';
import { verifiedPaths } from './search-verify.js';

/** Milliseconds that matching the names of one folder may take before the pattern is given up. */
const stallMs = 3_000;

/**
 * Finds files by glob, newest first, in a thread. Hidden files are found; `.git` and what `.gitignore` hides are not, unless the pattern or the
 * path names the folder. Rejects with `invalid_input` for a pattern that is wrong and `path_outside_root` for one that leaves the roots.
 */
export async function globFiles(options: SearchOptions, query: GlobQuery, scope: CallScope): Promise<GlobResult> {
  if (query.pattern === '') throw new ToolError('invalid_input', 'The pattern is empty. Give a glob such as **/*.ts.');
  const engines = options.engines ?? new SearchEngines({ ripgrep: options.ripgrep });
  try {
    const sinceMs = Date.now();
    const start = await searchStart(query.path ?? options.roots[0] ?? '/', options.roots);
    let found = { paths: [] as readonly string[], total: 0, ignored: 0 };
    const end = await engines.threads.run({
      job: { kind: 'glob', pattern: query.pattern, cwd: start.directory, roots: options.roots, maxFiles: query.maxFiles, stallMs },
      timeoutMs: options.limits.glob.timeoutMs,
      signal: scope.signal,
      onMessage: (message) => {
        if (message.type === 'paths') found = message;
        return true;
      },
    });
    const { total, ignored } = found;
    const paths = verifiedPaths(found.paths, { roots: options.roots, sinceMs });
    return { paths, total, ignored, timedOut: end.kind !== 'done' };
  } finally {
    if (options.engines === undefined) await engines.dispose();
  }
}
