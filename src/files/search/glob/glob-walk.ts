import { isInside } from '../../../core/text/path-names.js';
import { type DatedPath, newestFirst } from '../walk/file-times.js';
import type { Folders } from '../walk/folders.js';
import { type IgnoreScope, isIgnored, parentScope, scopeInside } from '../walk/ignore-scope.js';
import type { PathStates } from './path-states.js';

/** Options of one walk through a folder and the folders below. */
export interface GlobWalkOptions {
  readonly start: string;
  /** If set, only this folder is walked; `start` may be above it. */
  readonly within?: string | undefined;
  readonly states: PathStates;
  readonly excluded: PathStates;
  /** Folder names that occur literally in the pattern: these are walked even if they are ignored. */
  readonly named: ReadonlySet<string>;
  /** File names in `start` that occur literally in the pattern: these are found even if they are ignored. */
  readonly namedFiles: ReadonlySet<string>;
}

const entriesInStep = 100;

interface Folder {
  readonly path: string;
  readonly scope: IgnoreScope;
  readonly states: PathStates;
  readonly excluded: PathStates;
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

  /** Yields before each folder and after every 100 entries, so that the search can be paused. */
  *run({ start, within, named, namedFiles, ...first }: GlobWalkOptions): Generator<void> {
    const { rules } = this.#folders;
    const waiting: Folder[] = [{ path: start, scope: parentScope(start, rules), ...first }];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      yield;
      const { path, states, excluded } = folder;
      const base = path.endsWith('/') ? path : `${path}/`;
      const nextName = within === undefined || isInside(path, [within]) ? undefined : nameTowards(base, within);
      if (nextName !== undefined) {
        const below = base + nextName;
        if (nextName !== '')
          waiting.push({ path: below, scope: parentScope(below, rules), ...inside(folder, nextName) });
        continue;
      }
      const entries = this.#folders.list(path);
      if (entries === undefined) {
        this.unreadable++;
        continue;
      }
      const scope = scopeInside(folder.scope, path, (name) => entries.some((entry) => entry.name === name), rules);
      for (const [index, entry] of entries.entries()) {
        if (index % entriesInStep === entriesInStep - 1) yield;
        const { name } = entry;
        const isDirectory = entry.isDirectory();
        if (name === '.git') continue;
        const isNamed = isDirectory ? named.has(name) : path === start && namedFiles.has(name);
        if (scope.length > 0 && !isNamed && isIgnored(scope, base + name, name, isDirectory)) {
          this.ignored++;
          continue;
        }
        if (isDirectory) {
          const next = inside(folder, name);
          if (next.states.isEmpty) continue;
          if (this.#folders.isUnnameable(base + name, name)) this.unreadable++;
          else waiting.push({ path: base + name, scope, ...next });
        } else if (states.accepts(name) && !excluded.accepts(name)) {
          if (this.#folders.isUnnameable(base + name, name)) this.unreadable++;
          else this.#found(base + name);
        }
      }
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

function inside({ states, excluded }: Folder, name: string) {
  return { states: states.inside(name), excluded: excluded.inside(name) };
}

/** The next name on the way from `base` to `within`; empty if `within` is not below `base`. */
function nameTowards(base: string, within: string): string {
  return within.startsWith(base) ? (within.slice(base.length).split('/')[0] ?? '') : '';
}
