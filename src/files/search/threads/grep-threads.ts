import { ToolError } from '../../../core/error.js';
import type { Limits } from '../../../core/limits.js';
import type { GrepQuery, GrepResult } from '../../../ports/file-system.js';
import type { GrepCollector } from '../query/grep-collector.js';
import type { GrepJob } from './search-job.js';
import type { SearchThreads } from './search-threads.js';

/** How an engine ended. */
export interface GrepEnd {
  readonly engine: GrepResult['engine'];
  readonly timedOut: boolean;
  readonly unreadable: number;
}

/** One search by the JavaScript engine. */
export interface ThreadedGrep {
  readonly query: GrepQuery;
  readonly place: Pick<GrepJob, 'start' | 'startKind' | 'files' | 'ignore'>;
  readonly limits: Pick<Limits['grep'], 'maxLineChars' | 'maxFileBytes' | 'timeoutMs'>;
  readonly signal: AbortSignal;
  /** Gets what is found. */
  readonly collector: GrepCollector;
}

/** Milliseconds that one match may take on a short line before the pattern is given up. */
const stallMs = 1_500;

/** Searches in a thread that can be ended. Rejects with `invalid_input` for a pattern that takes too long. */
export async function grepInThreads(
  threads: SearchThreads,
  { query, place, limits, signal, collector }: ThreadedGrep,
): Promise<GrepEnd> {
  const { maxLineChars, maxFileBytes, timeoutMs } = limits;
  const maxLinesPerFile = lastLine(query) ?? Number.POSITIVE_INFINITY;
  const end = await threads.run({
    job: { kind: 'grep', query, ...place, maxLinesPerFile, maxLineChars, maxFileBytes, stallMs },
    timeoutMs,
    signal,
    onMessage: (message) =>
      message.type !== 'lines' || message.lines.every(([path, line]) => collector.add(path, line)),
  });
  if (end.kind === 'stalled') {
    throw new ToolError(
      'invalid_input',
      'The pattern takes too long in the JavaScript engine. Avoid repeats inside repeats, such as (a+)+, leave large ' +
        'files out with glob, or have ripgrep: install the package @vscode/ripgrep, or put rg on the PATH.',
    );
  }
  return {
    engine: 'javascript',
    timedOut: end.kind === 'timeout',
    unreadable: end.kind === 'done' ? end.unreadable : 0,
  };
}

/**
 * No file needs to give more matching lines than one page and one line. With matches over several lines ripgrep counts
 * otherwise.
 */
export function lastLine({ mode, multiline, limit, offset }: GrepQuery): number | undefined {
  const last = (offset ?? 0) + limit + 1;
  return mode === 'content' && !multiline && Number.isFinite(last) ? last : undefined;
}
