import type { CallScope } from '../core/context.js';
import type { Limits } from '../core/limits.js';

/** What stands at a path. */
export interface FileStat {
  /** The canonical path: absolute, links followed. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, fractions included. */
  readonly mtimeMs: number;
  /** Permission bits, for instance 0o644. */
  readonly mode: number;
  /**
   * Changes whenever content or identity does, as far as the store can tell cheaply; equal strings mean "surely the
   * same file state".
   */
  readonly version: string;
}

/** A name in a folder. */
export interface FileEntry {
  readonly name: string;
  readonly kind: FileStat['kind'];
  /** Where a symbolic link leads, as it is written. */
  readonly link?: string | undefined;
}

/** A regular file, opened for reading at any position. Close it. */
export interface OpenFile {
  readonly stat: FileStat;
  /** Fills `buffer` from byte `position` and answers how many bytes it read; 0 at the end. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** What is at a path while it is being changed. */
export interface CurrentFile {
  readonly stat: FileStat;
  /** The whole content. */
  bytes(): Promise<Uint8Array>;
}

/** New content, as slices that are written one after the other. */
export interface NewContent {
  readonly slices: readonly Uint8Array[];
  /** Permission bits for a new file or to change; default: kept, or 0o666 less the umask. */
  readonly mode?: number;
}

/**
 * Decides on new content for what is there, undefined for nothing; undefined leaves it as it is. It is asked again when
 * another program changed the file meanwhile.
 */
export type ContentChange = (
  current: CurrentFile | undefined,
) => Promise<NewContent | undefined> | NewContent | undefined;

/** What a change came to. */
export interface FileUpdate {
  readonly path: string;
  readonly created: boolean;
  /**
   * `replaced`: new content under the same name, in one step. `overwritten`: in the file itself, because it has other
   * names inside the roots, an owner that cannot be kept, or a place where nothing may be made. `detached`: replaced,
   * and its other names, outside, keep the old content.
   */
  readonly method: 'replaced' | 'overwritten' | 'detached';
  /**
   * Folders that had to be made for it, the outermost first; undefined where there were none, or the store has no
   * folders of their own.
   */
  readonly madeFolders?: readonly string[] | undefined;
  /** The record of changes had no room for this one, so undo cannot take it back. */
  readonly cannotBeUndone?: boolean | undefined;
  /** The state after the change. */
  readonly stat: FileStat;
}

/** Which paths to find. */
export interface GlobQuery {
  /** Glob pattern, relative to `path`; an absolute one inside a root is taken as it is. */
  readonly pattern: string;
  /** Absolute directory. Default: the root. */
  readonly path?: string | undefined;
  /** Absolute directory at or above `path` that a relative pattern is relative to. Default: `path`. */
  readonly relativeTo?: string | undefined;
  /** How many paths to give back at most. */
  readonly maxFiles: number;
  /** How long the walk may take, for a file system that has no limits of its own. */
  readonly limits?: Pick<Limits['glob'], 'timeoutMs'> | undefined;
}

/** Paths that were found, newest first. */
export interface GlobResult {
  readonly paths: readonly string[];
  /** How many there are in all; a lower bound when `timedOut`. */
  readonly total: number;
  /** The walk was ended by the time limit; the paths are what it had. */
  readonly timedOut: boolean;
  /** Files and folders that ignore rules left out, where the store counts them. */
  readonly ignored?: number | undefined;
  /** Folders that could not be read and entries whose names are not UTF-8, where the store counts them. */
  readonly unreadable?: number | undefined;
}

/** What to search for, as ripgrep understands it. */
export interface GrepQuery {
  readonly pattern: string;
  /** Absolute file or directory. Default: the root. */
  readonly path?: string | undefined;
  readonly glob?: string | undefined;
  /** Absolute directory at or above `path` that `glob` is relative to. Default: `path`. */
  readonly relativeTo?: string | undefined;
  readonly type?: string | undefined;
  readonly mode: 'files_with_matches' | 'content' | 'count';
  readonly before: number;
  readonly after: number;
  readonly lineNumbers: boolean;
  readonly ignoreCase: boolean;
  readonly onlyMatching: boolean;
  readonly multiline: boolean;
  /** Lines or paths to give back after skipping `offset`; Infinity = all. */
  readonly limit: number;
  /** Given, 0 included, it makes content and counts come by path, so that pages fit together. */
  readonly offset?: number | undefined;
  /** How long the search may take and what it may hold, for a file system that has no limits of its own. */
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
  /** The same lines by file, where content or counts were asked for and the store keeps them apart. */
  readonly files?: readonly FileLines[] | undefined;
  /** There was more after the limit. */
  readonly truncated: boolean;
  readonly engine: 'ripgrep' | 'javascript';
  /** The search was ended by the time limit; the lines are what it had. */
  readonly timedOut: boolean;
  /** How many lines or paths there are in all, where it is known. */
  readonly total?: number | undefined;
  /** Files and folders that could not be read, or that no path can name because their names are not UTF-8. */
  readonly unreadable?: number | undefined;
}

/**
 * The files a toolkit works on. Every method confines its path to the roots by real path, whole segment by whole
 * segment, and rejects with a ToolError: `path_not_absolute`, `path_outside_root`, `file_not_found` (with a near name),
 * `not_a_file`, `storage_failed`.
 */
export interface FileSystem {
  /** Absolute canonical path that relative patterns start from. */
  readonly root: string;
  /** All folders that are served, the root among them. Default: the root alone. */
  readonly roots?: readonly string[] | undefined;
  /**
   * The canonical path behind `path`, which need not exist: the real path of its deepest existing ancestor, and the
   * rest; `exact`: not a name that only looks like it.
   */
  resolve(path: string, scope: CallScope, spelling?: 'exact'): Promise<string>;
  /** What is there, or undefined. */
  stat(path: string, scope: CallScope): Promise<FileStat | undefined>;
  /** Opens a regular file; the opened file itself is checked, not its name. */
  open(path: string, scope: CallScope): Promise<OpenFile>;
  /**
   * Reads, decides and writes in one step: updates of one canonical path run one after the other, in the order they
   * were asked for. When another program changed the file meanwhile a few times, the update fails with `file_changed`.
   * The content is replaced whole or not at all; mode, owner where allowed, symbolic and hard links stay; missing
   * parents are made. An error that comes when the new content stands has `written: true` and the canonical path as
   * `filePath` in its metadata, so that undo knows of it.
   */
  update(path: string, change: ContentChange, scope: CallScope, spelling?: 'exact'): Promise<FileUpdate | undefined>;
  /** Removes a regular file; false when there was none. */
  remove(path: string, scope: CallScope): Promise<boolean>;
  /**
   * Removes a folder that is empty; false when it is not, or not there. Not needed where folders are there only as long
   * as files are in them.
   */
  removeFolder?(path: string, scope: CallScope): Promise<boolean>;
  /** The entries of a directory, by name, without those that a rule hides. */
  list(path: string, scope: CallScope): Promise<readonly FileEntry[]>;
  /**
   * Finds files by name. `.git` and what `.gitignore` hides are left out, unless the folder is named by the path or the
   * pattern.
   */
  glob(query: GlobQuery, scope: CallScope): Promise<GlobResult>;
  /**
   * Searches contents. `.git` and what `.gitignore` hides are left out, unless the file or folder is named by the path.
   */
  grep(query: GrepQuery, scope: CallScope): Promise<GrepResult>;
}
