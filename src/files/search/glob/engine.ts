import { realpathSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { ToolError } from '../../../core/error.js';
import { ifPossible } from '../../../core/support/check-values.js';
import { isInside } from '../../../core/text/path-names.js';
import type { GlobQuery, GlobResult } from '../../../ports/file-system.js';
import { isKernelPath } from '../../paths/confinement.js';
import { refusedQuery } from '../query/pattern-error.js';
import type { SearchRun, SearchTurns } from '../query/search-turns.js';
import { type DatedPath, newestFirst } from '../walk/file-times.js';
import { diskFolders, type Folders } from '../walk/folder-source.js';
import { isIgnored } from '../walk/ignore-scope.js';
import { walk } from '../walk/walk.js';
import { globPattern } from './expand-pattern.js';
import { literalName, PathStates } from './path-states.js';
import { globSource } from './to-regex.js';

/** The folders that a pattern applies to. */
export interface GlobPlace {
  /** Canonical absolute folder that the pattern starts from. */
  readonly cwd: string;
  /** If set, only this folder is walked, even if `cwd` or the pattern starts above it. */
  readonly within?: string | undefined;
  readonly roots: readonly string[];
  /** Folders to walk in place of the disk. */
  readonly folders?: Folders | undefined;
}

/** Finds files on the main thread, in slices of 10 ms. */
export async function globInTurns(
  turns: SearchTurns,
  query: GlobQuery,
  place: GlobPlace,
  run: SearchRun,
): Promise<GlobResult> {
  try {
    const walks = await walksOf(query.pattern, place, run.signal);
    const search = new GlobWalk(place.folders ?? diskFolders(place.roots), query.maxFiles, walks.length > 1);
    const end = await turns.run(steps(search, walks), run);
    const { total, ignored, unreadable } = search;
    // If nothing was found, the pattern is parsed again as a whole: `globSource` throws for an invalid one.
    if (total === 0) globSource(query.pattern);
    return { paths: search.newest(), total, ignored, timedOut: end === 'timeout', unreadable: unreadable.size };
  } catch (thrown) {
    throw refusedQuery(thrown);
  }
}

function* steps(search: GlobWalk, walks: readonly GlobWalkOptions[]): Generator<void> {
  yield;
  for (const options of walks) yield* search.run(options);
}

/** One walk for each folder in which alternatives of the pattern start. */
async function walksOf(pattern: string, place: GlobPlace, signal: AbortSignal): Promise<GlobWalkOptions[]> {
  const { patterns, exclude } = globPattern(pattern);
  const byStart = new Map<string, string[][]>();
  for (const each of patterns) {
    const segments = each.split('/');
    const wild = segments.findIndex((segment) => literalName(segment) === undefined);
    const first = wild === -1 ? segments.length - 1 : wild;
    const base = segments.slice(0, first).map((segment) => literalName(segment) ?? '');
    const rest = segments.slice(first).filter((segment) => segment !== '' && segment !== '.');
    const start = startFolder(first === 0 ? '.' : base.join('/') || '/', pattern, place);
    // A walk only goes down, so `..` after a wildcard would find nothing.
    if (rest.includes('..'))
      throw new ToolError(
        'path_outside_root',
        `\`..\` after a wildcard is not supported: ${pattern}. Write the pattern without it.`,
      );
    if (start !== undefined) byStart.set(start, [...(byStart.get(start) ?? []), rest]);
  }
  const left = exclude.map((each) => each.split('/').filter((part) => !/^\.?$/.test(part)));
  const excluded = await PathStates.of(left, signal);
  const made = Array.from(byStart, async ([start, found]) => {
    const named = namesIn(found.flatMap((segments) => segments.slice(0, -1)));
    const namedFiles = namesIn(found.flatMap((segments) => (segments.length === 1 ? segments : [])));
    return { start, within: place.within, states: await PathStates.of(found, signal), excluded, named, namedFiles };
  });
  return Promise.all(made);
}

function namesIn(segments: readonly string[]): ReadonlySet<string> {
  return new Set(segments.map(literalName).filter((name) => name !== undefined));
}

/**
 * The canonical folder that a pattern starts in; undefined if the folder does not exist, or is neither above nor below
 * `within`.
 */
function startFolder(base: string, pattern: string, place: GlobPlace): string | undefined {
  const { cwd, within, roots, folders } = place;
  const [resolvePath, platform] = folders === undefined ? [resolve] : [posix.resolve, 'linux' as const];
  const lexical = resolvePath(cwd, base);
  // Folders beside `within` belong to other mounts and are not walked.
  if (within !== undefined && !isInside(lexical, [within], platform)) {
    return isInside(within, [lexical], platform) ? lexical : undefined;
  }
  if (folders !== undefined) {
    if (!isInside(lexical, roots, platform)) throw leavesRoots(pattern, place);
    return lexical;
  }
  if (isKernelPath(lexical)) throw leavesRoots(pattern, place);
  const real = ifPossible(() => realpathSync.native(lexical));
  if (!isInside(real ?? lexical, roots)) throw leavesRoots(pattern, place);
  return real;
}

function leavesRoots(pattern: string, { roots }: GlobPlace): ToolError {
  return new ToolError(
    'path_outside_root',
    `The pattern leaves the workspace: ${pattern}. Search inside ${roots.join(' or ')}.`,
  );
}

/** The segments that may still match in a folder: those of the pattern, and those of the patterns to exclude. */
interface GlobState {
  readonly states: PathStates;
  readonly excluded: PathStates;
}

interface GlobFolder {
  readonly path: string;
  readonly state: GlobState;
}

/** Options of one walk through a folder and the folders below. */
interface GlobWalkOptions extends GlobState {
  readonly start: string;
  /** If set, only this folder is walked; `start` may be above it. */
  readonly within?: string | undefined;
  /** Folder names that occur literally in the pattern: these are walked even if they are ignored. */
  readonly named: ReadonlySet<string>;
  /** File names in `start` that occur literally in the pattern: these are found even if they are ignored. */
  readonly namedFiles: ReadonlySet<string>;
}

/** Finds files for Glob, without `.git` and ignored files. Links to folders are not entered. */
class GlobWalk {
  /** The number of entries that ignore rules left out. */
  ignored = 0;
  /** The folders and ignore files that could not be read, and the entries whose names are not UTF-8. */
  readonly unreadable = new Set<string>();
  /** The number of files found. */
  total = 0;
  readonly #folders: Folders;
  readonly #maxFiles: number;
  readonly #seen: Set<string> | undefined;
  #newest: DatedPath[] = [];

  /**
   * Keeps the newest `maxFiles` files. If `startsInSeveral` is true, paths are deduplicated, since two walks may find
   * the same file.
   */
  constructor(folders: Folders, maxFiles: number, startsInSeveral: boolean) {
    this.#folders = folders;
    this.#maxFiles = maxFiles;
    this.#seen = startsInSeveral ? new Set() : undefined;
  }

  /** The newest of the files found. */
  newest(): readonly string[] {
    this.#dropOldest();
    return this.#newest.map(({ path }) => path);
  }

  /** Yields when the search may pause. */
  *run({ start, within, named, namedFiles, ...given }: GlobWalkOptions): Generator<void> {
    const first = towards(within, { path: start, state: given });
    if (first === undefined) return;
    const onUnreadable = (path: string) => void this.unreadable.add(path);
    const files = walk(this.#folders, first, onUnreadable, ({ entry: { name }, path, isDirectory, folder, scope }) => {
      const isNamed = isDirectory ? named.has(name) : folder.path === start && namedFiles.has(name);
      if (!isNamed && isIgnored(scope, path, name, isDirectory)) {
        this.ignored++;
        return undefined;
      }
      const { state } = folder;
      const next = isDirectory ? inside(state, name) : state;
      const isWanted = isDirectory ? !next.states.isEmpty : state.states.accepts(name) && !state.excluded.accepts(name);
      return isWanted ? next : undefined;
    });
    for (const path of files) {
      if (path === undefined) yield;
      else this.#found(path);
    }
  }

  #found(path: string): void {
    if (this.#seen?.has(path) === true) return;
    this.#seen?.add(path);
    const mtimeMs = this.#folders.mtimeOf(path);
    if (mtimeMs === undefined) return;
    this.total++;
    this.#newest.push({ path, mtimeMs });
    if (this.#newest.length >= 2 * this.#maxFiles + 1_000) this.#dropOldest();
  }

  #dropOldest(): void {
    this.#newest = this.#newest.sort(newestFirst).slice(0, this.#maxFiles);
  }
}

/**
 * The first folder to walk: the start of the pattern if it is inside `within`, or `within` if the start is above
 * `within`; else undefined.
 */
function towards(within: string | undefined, { path, state }: GlobFolder): GlobFolder | undefined {
  if (within === undefined || isInside(path, [within])) return { path, state };
  const base = path.endsWith('/') ? path : `${path}/`;
  const [name = ''] = within.startsWith(base) ? within.slice(base.length).split('/') : [];
  return name === '' ? undefined : towards(within, { path: base + name, state: inside(state, name) });
}

function inside({ states, excluded }: GlobState, name: string): GlobState {
  return { states: states.inside(name), excluded: excluded.inside(name) };
}
