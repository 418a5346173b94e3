import type { CallScope } from '../core/context.js';
import type { Limits } from '../core/limits.js';

/** The state of a path. */
export interface FileStat {
  /** The canonical path: absolute, links followed. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, fractions included. */
  readonly mtimeMs: number;
  /** When content, name or permissions changed last, in milliseconds since 1970; undefined if not known. */
  readonly ctimeMs?: number | undefined;
  /** Permission bits, for instance 0o644. */
  readonly mode: number;
  /** Changes with content or identity, as far as the store can tell cheaply. Equal versions mean the same state. */
  readonly version: string;
}

/** A name in a folder. */
export interface FileEntry {
  readonly name: string;
  readonly kind: FileStat['kind'];
  /** The target of a symbolic link, as stored in the link. */
  readonly link?: string | undefined;
}

/** A regular file, opened for reading at any position. The caller must close the file. */
export interface OpenFile {
  readonly stat: FileStat;
  /** Fills `buffer` from byte `position` and resolves with the number of bytes read; 0 at the end. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** The file at a path during a change. */
export interface CurrentFile {
  readonly stat: FileStat;
  /** The whole content. */
  bytes(): Promise<Uint8Array>;
}

/** New content, as slices that are written in order. */
export interface NewContent {
  readonly slices: readonly Uint8Array[];
  /** Permission bits. Default: the bits of the existing file; for a new file, 0o666 minus the bits of the umask. */
  readonly mode?: number;
}

/**
 * Makes new content from the current file, which is undefined if the file does not exist. Returning undefined changes
 * nothing. The function is called again if another program changed the file meanwhile.
 */
export type ContentChange = (
  current: CurrentFile | undefined,
) => Promise<NewContent | undefined> | NewContent | undefined;

/** The outcome of a change. */
export interface FileUpdate {
  readonly path: string;
  readonly created: boolean;
  /**
   * `replaced`: atomically. `overwritten`: in place, since the file has other hard links inside the roots, an owner
   * that cannot be kept, or a folder that permits no new file. `detached`: replaced, and hard links outside the roots
   * keep the old content.
   */
  readonly method: 'replaced' | 'overwritten' | 'detached';
  /**
   * Folders that were created for the file, the outermost first; undefined if there are none, or if the store has no
   * real folders.
   */
  readonly madeFolders?: readonly string[] | undefined;
  /** The change was too large for the undo history. */
  readonly cannotBeUndone?: boolean | undefined;
  /** The state after the change. */
  readonly stat: FileStat;
}

/** Selects the paths to find. */
export interface GlobQuery {
  /** Glob pattern, relative to `path`, or absolute inside a root. */
  readonly pattern: string;
  /** Absolute directory. Default: the root. */
  readonly path?: string | undefined;
  /** Absolute directory at or above `path` from which a relative pattern starts. Default: `path`. */
  readonly relativeTo?: string | undefined;
  /** The maximum number of paths to return. */
  readonly maxFiles: number;
  /** Time limit of the walk, for a file system without its own limits. */
  readonly limits?: Pick<Limits['glob'], 'timeoutMs'> | undefined;
}

/** Paths that were found, newest first. */
export interface GlobResult {
  readonly paths: readonly string[];
  /** The number of all matches; a lower bound when `timedOut`. */
  readonly total: number;
  /** The walk reached its time limit; the paths are partial. */
  readonly timedOut: boolean;
  /** The number of files and folders that ignore rules left out, if the store counts these. */
  readonly ignored?: number | undefined;
  /** The number of unreadable folders and ignore files, and of names that are not UTF-8, if the store counts these. */
  readonly unreadable?: number | undefined;
}

/** A search in the syntax of ripgrep. */
export interface GrepQuery {
  readonly pattern: string;
  /** Absolute file or directory. Default: the root. */
  readonly path?: string | undefined;
  readonly glob?: string | undefined;
  /** Absolute directory at or above `path` from which `glob` starts. Default: `path`. */
  readonly relativeTo?: string | undefined;
  readonly type?: string | undefined;
  readonly mode: 'files_with_matches' | 'content' | 'count';
  readonly before: number;
  readonly after: number;
  readonly lineNumbers: boolean;
  readonly ignoreCase: boolean;
  readonly onlyMatching: boolean;
  readonly multiline: boolean;
  /** Lines or paths to return after skipping `offset`; Infinity = all. */
  readonly limit: number;
  /**
   * Lines or paths to skip. With an offset, even 0, content and counts are sorted by path, so that one page continues
   * the other.
   */
  readonly offset?: number | undefined;
  /** Limits of time and size, for a file system without its own limits. */
  readonly limits?: Omit<Limits['grep'], 'headLimit'> | undefined;
}

/** Output lines of one file. */
export interface FileLines {
  readonly path: string;
  readonly lines: readonly string[];
}

/** Output lines of a search, ready to print. */
export interface GrepResult {
  readonly lines: readonly string[];
  /** The same lines by file, for content or counts, if the store separates them. */
  readonly files?: readonly FileLines[] | undefined;
  /** There are more lines after the limit. */
  readonly truncated: boolean;
  readonly engine: 'ripgrep' | 'javascript';
  /** The search reached its time limit; the lines are partial. */
  readonly timedOut: boolean;
  /** The number of all lines or paths, if known. */
  readonly total?: number | undefined;
  /** The number of files and folders that could not be read, or whose names are not UTF-8. */
  readonly unreadable?: number | undefined;
}

/**
 * The files of a toolkit. Every method confines paths to the roots by real path. Methods reject with a ToolError:
 * `path_not_absolute`, `path_outside_root`, `file_not_found` (with a similar name), `not_a_file`, `storage_failed`.
 */
export interface FileSystem {
  /** Absolute canonical path from which relative patterns start. */
  readonly root: string;
  /** All served folders, including the root. Default: only the root. */
  readonly roots?: readonly string[] | undefined;
  /**
   * The canonical path of `path`, which need not exist: the real path of its deepest existing ancestor, then the rest.
   * With `exact`, a name with other quotes or spaces is a different name.
   */
  resolve(path: string, scope: CallScope, spelling?: 'exact'): Promise<string>;
  /** The state of a path; undefined if nothing is there. */
  stat(path: string, scope: CallScope): Promise<FileStat | undefined>;
  /**
   * Opens a regular file. Checks the opened file itself, because its path may lead to another file by then (TOCTOU).
   */
  open(path: string, scope: CallScope): Promise<OpenFile>;
  /**
   * Reads a file, makes the new content and writes it, whole or not at all. Updates of one path run in the order of
   * their calls; if another program keeps changing the file, the update fails with `file_changed`. Keeps the mode, the
   * links and, where allowed, the owner; creates missing parents. An error after the writing has `written: true` and
   * the canonical path as `filePath` in its metadata, so that undo can record the change.
   */
  update(path: string, change: ContentChange, scope: CallScope, spelling?: 'exact'): Promise<FileUpdate | undefined>;
  /** Removes a regular file; false if there was no such file. */
  remove(path: string, scope: CallScope): Promise<boolean>;
  /** Removes an empty folder; false if there is none. Not needed if folders exist only while they hold files. */
  removeFolder?(path: string, scope: CallScope): Promise<boolean>;
  /** The entries of a directory sorted by name, without entries that a rule hides. */
  list(path: string, scope: CallScope): Promise<readonly FileEntry[]>;
  /** Finds files by name. Leaves out `.git` and ignored files, unless the path or the pattern names their folder. */
  glob(query: GlobQuery, scope: CallScope): Promise<GlobResult>;
  /** Searches contents. Leaves out `.git` and ignored files, unless the path names the file or its folder. */
  grep(query: GrepQuery, scope: CallScope): Promise<GrepResult>;
}
