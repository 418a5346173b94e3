import type { CallScope } from '../core/context.js';
import type { GlobQuery, GlobResult } from '../host/file-system.js';
import { globPatterns } from './glob-pattern.js';
import { SearchEngines } from './search-engines.js';
import type { SearchOptions } from './search-options.js';

/** Milliseconds that matching the names of one folder may take before the pattern is given up. */
const stallMs = 3_000;

/**
 * Finds files by glob, newest first, in a thread. Hidden files are found; `.git` and what `.gitignore` hides are not, unless the pattern or the
 * path names the folder. Rejects with `invalid_input` for a pattern that is wrong and `path_outside_root` for one that leaves the roots.
 */
export async function globFiles(options: SearchOptions, query: GlobQuery, scope: CallScope): Promise<GlobResult> {
  const engines = options.engines ?? new SearchEngines({ ripgrep: options.ripgrep });
  try {
    const { cwd, patterns, exclude } = await globPatterns(query, options.roots);
    let found = { paths: [] as readonly string[], total: 0, ignored: 0 };
    const end = await engines.threads.run({
      job: { kind: 'glob', cwd, patterns, exclude, roots: options.roots, maxFiles: query.maxFiles, stallMs },
      timeoutMs: options.limits.glob.timeoutMs,
      signal: scope.signal,
      onMessage: (message) => {
        if (message.type === 'paths') found = message;
        return true;
      },
    });
    const { paths, total, ignored } = found;
    return { paths, total, ignored, timedOut: end.kind !== 'done' };
  } finally {
    if (options.engines === undefined) await engines.dispose();
  }
}
