import { isInside } from '../../../core/text/path-names.js';
import { type DatedPath, newestFirst } from '../walk/file-times.js';
import type { Folders } from '../walk/folder-source.js';
import { isIgnored } from '../walk/ignore-scope.js';
import { walk } from '../walk/walk.js';
import type { PathStates } from './path-states.js';

/** The parts of a pattern that may still match in a folder, and those of the patterns to exclude. */
interface GlobState {
  readonly states: PathStates;
  readonly excluded: PathStates;
}

/** Options of one walk through a folder and the folders below. */
export interface GlobWalkOptions extends GlobState {
  readonly start: string;
  /** If set, only this folder is walked; `start` may be above it. */
  readonly within?: string | undefined;
  /** Folder names that occur literally in the pattern: these are walked even if they are ignored. */
  readonly named: ReadonlySet<string>;
  /** File names in `start` that occur literally in the pattern: these are found even if they are ignored. */
  readonly namedFiles: ReadonlySet<string>;
}

/** Finds files for Glob, without `.git` and ignored files. Links to folders are not entered. */
export class GlobWalk {
  /** The number of entries that ignore rules left out. */
  ignored = 0;
  /** The number of folders that could not be read, and of entries whose names are not UTF-8. */
  unreadable = 0;
  /** The number of files found. */
  total = 0;
  readonly #folders: Folders;
  readonly #maxFiles: number;
  readonly #seen: Set<string> | undefined;
  #newest: DatedPath[] = [];

  /**
   * Keeps the newest files. With `startsInSeveral`, paths already found are skipped, since two walks may find the same
   * file.
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
    const onUnreadable = () => void this.unreadable++;
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

/** The first folder to walk: the start of the pattern, or `within` if it is below; undefined if neither can match. */
function towards(
  within: string | undefined,
  { path, state }: { readonly path: string; readonly state: GlobState },
): { readonly path: string; readonly state: GlobState } | undefined {
  if (within === undefined || isInside(path, [within])) return { path, state };
  const base = path.endsWith('/') ? path : `${path}/`;
  const [name = ''] = within.startsWith(base) ? within.slice(base.length).split('/') : [];
  return name === '' ? undefined : towards(within, { path: base + name, state: inside(state, name) });
}

function inside({ states, excluded }: GlobState, name: string): GlobState {
  return { states: states.inside(name), excluded: excluded.inside(name) };
}
