import type { Limits } from '../../../core/limits.js';
import type { GrepQuery, GrepResult } from '../../../ports/file-system.js';
import { globOverride } from '../glob/to-regex.js';
import type { GrepCollector } from '../query/grep-collector.js';
import { refusedQuery } from '../query/pattern-error.js';
import type { SearchTurns } from '../query/search-turns.js';
import type { DatedPath } from '../walk/file-times.js';
import type { Folders } from '../walk/folder-source.js';
import { isReached, type WalkFilesOptions, walkFiles } from '../walk/walk.js';
import { typeFilter } from './file-types.js';
import { GrepPattern } from './grep-pattern.js';
import { type GrepFileEnd, grepBytes, grepFile, pieceBytes, type ReadBytes } from './search-file.js';

export interface GrepEnd {
  readonly engine: GrepResult['engine'];
  readonly timedOut: boolean;
  readonly unreadable: number;
}

/** A virtual file: path, time and content in memory (files of a store). */
export interface VirtualFile extends DatedPath {
  readonly bytes: Uint8Array;
}

export interface GrepPlace {
  /** Canonical path of the file or folder to search. */
  readonly start: string;
  readonly startKind: 'file' | 'directory';
  readonly folders: Folders;
  /** The contents of virtual files, by path. Default: files are read from the disk. */
  readonly contents?: ReadonlyMap<string, Uint8Array> | undefined;
}

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
  const unreadable = new Set<string>();
  let steps: Iterable<unknown>;
  try {
    steps = searchSteps(search, await GrepPattern.of(query), await filtersOf(search), unreadable);
  } catch (thrown) {
    throw refusedQuery(thrown);
  }
  const end = await turns.run(steps, { signal, timeoutMs: limits.timeoutMs });
  return { engine: 'javascript', timedOut: end === 'timeout', unreadable: end === 'done' ? unreadable.size : 0 };
}

/**
 * Returns the number of matching lines after which the search of one file can stop: one more than fits on the page.
 * With `multiline` ripgrep counts differently, so the search does not stop.
 */
export function maxLinesOfFile({ mode, multiline, limit, offset }: GrepQuery): number | undefined {
  const last = (offset ?? 0) + limit + 1;
  return mode === 'content' && !multiline && Number.isFinite(last) ? last : undefined;
}

type Filters = Pick<WalkFilesOptions, 'first' | 'last'>;

/**
 * The filters by glob and type. They do not apply to a file that the query names, but an invalid glob or type is still
 * refused.
 */
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
  unreadable: Set<string>,
): Generator<void> {
  const { maxLineChars, maxFileBytes } = limits;
  const buffer = Buffer.allocUnsafeSlow(pieceBytes);
  let isEnough = false;
  const optionsOf = (path: string, isNamed: boolean) => {
    const emit = (line: string | undefined) => {
      isEnough ||= !collector.add(path, line);
      return !isEnough;
    };
    const maxLinesPerFile = maxLinesOfFile(query) ?? Number.POSITIVE_INFINITY;
    return { path, query, pattern, emit, isNamed, buffer, maxLinesPerFile, maxLineChars, maxFileBytes };
  };
  for (const path of filesOf(query, place, filters, unreadable)) {
    yield;
    if (path === undefined) continue;
    const options = optionsOf(path, path === place.start);
    // A search of virtual files never reads the disk, even if one of the files is missing.
    const bytes = place.contents === undefined ? undefined : (place.contents.get(path) ?? Buffer.alloc(0));
    const search: Generator<void, GrepFileEnd> =
      bytes === undefined ? grepFile(options) : grepBytes(readFrom(bytes), options);
    if ((yield* search) === 'unreadable') unreadable.add(path);
    if (isEnough) return;
  }
}

/** The files to search; undefined for each step of the walk that finds no file. */
function* filesOf(
  query: GrepQuery,
  { start, startKind, folders }: GrepPlace,
  filters: Filters,
  unreadable: Set<string>,
): Generator<string | undefined> {
  yield undefined;
  if (startKind === 'file') yield start;
  else if (isReached(start, query.relativeTo ?? start, filters.first))
    yield* walkFiles({ folders, start, ...filters, onUnreadable: (path) => void unreadable.add(path) });
}

function readFrom(bytes: Uint8Array): ReadBytes {
  return (buffer, offset, length, position) => {
    const part = bytes.subarray(position, position + length);
    buffer.set(part, offset);
    return part.length;
  };
}
