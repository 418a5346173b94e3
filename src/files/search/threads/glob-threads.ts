import type { Limits } from '../../../core/limits.js';
import type { GlobQuery, GlobResult } from '../../../ports/file-system.js';
import type { GlobJob } from './search-job.js';
import type { SearchThreads } from './search-threads.js';

/** One walk for file names. */
export interface ThreadedGlob {
  readonly query: GlobQuery;
  readonly place: Pick<GlobJob, 'cwd' | 'within' | 'roots' | 'files' | 'ignore'>;
  readonly limits: Pick<Limits['glob'], 'timeoutMs'>;
  readonly signal: AbortSignal;
}

/** Milliseconds that matching the names of one folder may take before the pattern is given up. */
const stallMs = 3_000;

/** Walks in a thread that can be ended. */
export async function globInThreads(
  threads: SearchThreads,
  { query, place, limits, signal }: ThreadedGlob,
): Promise<GlobResult> {
  let found = { paths: [] as readonly string[], total: 0, ignored: 0 };
  const end = await threads.run({
    job: { kind: 'glob', pattern: query.pattern, maxFiles: query.maxFiles, stallMs, ...place },
    timeoutMs: limits.timeoutMs,
    signal,
    onMessage: (message) => {
      if (message.type === 'paths') found = message;
      return true;
    },
  });
  const { paths, total, ignored } = found;
  return { paths, total, ignored, timedOut: end.kind !== 'done', unreadable: end.kind === 'done' ? end.unreadable : 0 };
}
