import type { Limits } from '../../../core/limits.js';
import type { GrepQuery, GrepResult } from '../../../ports/file-system.js';
import { globOverride } from '../glob/glob-filter.js';
import type { GrepCollector } from '../query/grep-collector.js';
import { GrepPattern } from '../query/grep-pattern.js';
import { refusedQuery } from '../query/pattern-error.js';
import type { SearchTurns } from '../query/search-turns.js';
import type { DatedPath } from '../walk/file-times.js';
import { type IgnoreSource, ignoreNothing } from '../walk/ignore-source.js';
import { virtualFilter } from '../walk/virtual-filter.js';
import { type EntryFilter, isReached, walkFiles } from '../walk/walk.js';
import { type GrepFileEnd, grepBytes, grepFile, pieceBytes, type ReadBytes } from './file.js';
import { typeFilter } from './file-types.js';

/** The end of a search by an engine. */
export interface GrepEnd {
  readonly engine: GrepResult['engine'];
  readonly timedOut: boolean;
  readonly unreadable: number;
}

/** A virtual file: path, time and content in memory (files of a store). */
export interface VirtualFile extends DatedPath {
  readonly bytes: Uint8Array;
}

/** The files to search. */
export interface GrepPlace {
  /** Canonical path of the file or folder to search. */
  readonly start: string;
  readonly startKind: 'file' | 'directory';
  /** Files to search in place of the disk: all files at and below `start`. */
  readonly files?: readonly VirtualFile[] | undefined;
  /** The ignore rules that go with `files`. Default: none. */
  readonly ignore?: IgnoreSource | undefined;
}

/** One search by the JavaScript engine. */
export interface JavaScriptGrep {
  readonly query: GrepQuery;
  readonly place: GrepPlace;
  readonly limits: Pick<Limits['grep'], 'maxLineChars' | 'maxFileBytes' | 'timeoutMs'>;
  readonly signal: AbortSignal;
  /** Receives the output lines. */
  readonly collector: GrepCollector;
}

/** Searches on the main thread, in slices of 10 ms. Rejects with `invalid_input` for a wrong query. */
export async function grepInTurns(turns: SearchTurns, search: JavaScriptGrep): Promise<GrepEnd> {
  const { query, signal, limits } = search;
  const counts = { unreadable: 0 };
  let steps: Iterable<unknown>;
  try {
    steps = searchSteps(search, await GrepPattern.of(query), await filtersOf(search), counts);
  } catch (thrown) {
    throw refusedQuery(thrown);
  }
  const end = await turns.run(steps, { signal, timeoutMs: limits.timeoutMs });
  return { engine: 'javascript', timedOut: end === 'timeout', unreadable: end === 'done' ? counts.unreadable : 0 };
}

/**
 * Returns the number of matching lines after which the search of one file can stop: one more than fits on the page.
 * With `multiline` ripgrep counts differently, so the search does not stop.
 */
export function lastLine({ mode, multiline, limit, offset }: GrepQuery): number | undefined {
  const last = (offset ?? 0) + limit + 1;
  return mode === 'content' && !multiline && Number.isFinite(last) ? last : undefined;
}

interface Filters {
  readonly first: EntryFilter;
  readonly last: (name: string) => boolean;
}

/** A file that the query names is searched even if glob and type exclude it, but an invalid glob or type is refused. */
async function filtersOf({ query, place }: JavaScriptGrep): Promise<Filters> {
  return {
    first: query.glob === undefined ? () => 'unknown' : await globOverride(query.glob, query.relativeTo ?? place.start),
    last: query.type === undefined ? () => true : typeFilter(query.type),
  };
}

function* searchSteps(
  { query, place, limits, collector }: JavaScriptGrep,
  pattern: GrepPattern,
  filters: Filters,
  counts: { unreadable: number },
): Generator<void> {
  const { maxLineChars, maxFileBytes } = limits;
  const buffer = Buffer.allocUnsafeSlow(pieceBytes);
  let isEnough = false;
  const optionsOf = (path: string, isNamed: boolean) => {
    const emit = (line: string | undefined) => {
      isEnough ||= !collector.add(path, line);
      return !isEnough;
    };
    const maxLinesPerFile = lastLine(query) ?? Number.POSITIVE_INFINITY;
    return { path, query, pattern, emit, isNamed, buffer, maxLinesPerFile, maxLineChars, maxFileBytes };
  };
  for (const step of filesOf(query, place, filters, counts)) {
    yield;
    if (step === undefined) continue;
    const options = optionsOf(step.path, step.path === place.start);
    const search: Generator<void, GrepFileEnd> =
      step.bytes === undefined ? grepFile(options) : grepBytes(readFrom(step.bytes), options);
    if ((yield* search) === 'unreadable') counts.unreadable++;
    if (isEnough) return;
  }
}

/** The files to search; undefined for each step of the walk that finds none. */
function* filesOf(
  query: GrepQuery,
  { start, startKind, files, ignore = ignoreNothing }: GrepPlace,
  filters: Filters,
  counts: { unreadable: number },
): Generator<{ readonly path: string; readonly bytes?: Uint8Array } | undefined> {
  yield undefined;
  const relativeTo = query.relativeTo ?? start;
  if (files !== undefined) {
    const isWanted = virtualFilter({ start, relativeTo, rules: ignore, ...filters });
    for (const file of files) yield startKind === 'file' || isWanted(file.path) ? file : undefined;
  } else if (startKind === 'file') {
    yield { path: start };
  } else if (isReached(start, relativeTo, filters.first)) {
    const onUnreadable = () => void counts.unreadable++;
    for (const path of walkFiles({ start, ...filters, onUnreadable })) yield path === undefined ? undefined : { path };
  }
}

function readFrom(bytes: Uint8Array): ReadBytes {
  return (buffer, offset, length, position) => {
    const part = bytes.subarray(position, position + length);
    buffer.set(part, offset);
    return part.length;
  };
}
