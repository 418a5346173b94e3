import type { GrepQuery } from '../../../ports/file-system.js';
import type { VirtualIgnore } from '../walk/ignore-source.js';
import type { DatedPath } from '../walk/search-order.js';

/** A file that stands on no disk, with its content, as it is sent to a thread. */
export interface VirtualFile extends DatedPath {
  readonly bytes: Uint8Array;
}

/** A search by the JavaScript engine, as it is sent to a thread. */
export interface GrepJob {
  readonly kind: 'grep';
  readonly query: GrepQuery;
  /** Searched in place of the disk: all that there is at and below `start`. */
  readonly files?: readonly VirtualFile[] | undefined;
  /** The ignore rules that go with `files`. Default: none. */
  readonly ignore?: VirtualIgnore | undefined;
  /** Canonical path of the file or folder to search. */
  readonly start: string;
  readonly startKind: 'file' | 'directory';
  /** Matching lines of one file after which the next is searched; Infinity = all. */
  readonly maxLinesPerFile: number;
  readonly maxLineChars: number;
  readonly maxFileBytes: number;
  readonly stallMs: number;
}

/** A walk for file names, as it is sent to a thread. */
export interface GlobJob {
  readonly kind: 'glob';
  readonly pattern: string;
  /** Walked in place of the disk. */
  readonly files?: readonly DatedPath[] | undefined;
  /** The ignore rules that go with `files`. Default: none. */
  readonly ignore?: VirtualIgnore | undefined;
  /** Canonical absolute folder that the pattern starts from. */
  readonly cwd: string;
  /** The only folder that is walked, where the pattern starts above it. */
  readonly within?: string | undefined;
  readonly roots: readonly string[];
  readonly maxFiles: number;
  readonly stallMs: number;
}

/** Work for a search thread. */
export type SearchJob = GrepJob | GlobJob;

/** One piece of output: a path, and its line or nothing. */
export type FoundLine = readonly [path: string, line: string | undefined];

/** Why a search cannot be done. */
export type SearchFailureCode = 'invalid_input' | 'path_outside_root' | 'execution_failed';

/** What a thread sends back. `done` or `failed` comes last, exactly once. */
export type SearchMessage =
  | { readonly type: 'lines'; readonly lines: readonly FoundLine[] }
  | { readonly type: 'paths'; readonly paths: readonly string[]; readonly total: number; readonly ignored: number }
  | { readonly type: 'done'; readonly unreadable: number }
  | { readonly type: 'failed'; readonly code: SearchFailureCode; readonly message: string };
