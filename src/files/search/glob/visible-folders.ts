import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { isUnnameable, NamesInOneLine } from '../../paths/names-with-line-breaks.js';
import { errorCode } from '../../paths/storage-error.js';
import type { SearchControl } from '../threads/search-control.js';
import { type IgnoreScope, isIgnored, parentScope, scopeInside } from '../walk/ignore-scope.js';

/**
 * A link may lead to a file; whether it does, and where it lies, is looked at once its name fits. It is never walked
 * into.
 */
function asFile<Entry extends Dirent | Stats>(entry: Entry): Entry {
  if (!entry.isSymbolicLink()) return entry;
  return Object.assign(Object.create(entry) as Entry, { isFile: () => true, isSymbolicLink: () => false });
}

/** Folder listings for a glob walk: without `.git` and what `.gitignore` hides, and empty once the walk is to stop. */
export class VisibleFolders {
  /** Entries that ignore rules left out. */
  ignored = 0;
  /** Folders that could not be read, and entries that no path can name. */
  unreadable = 0;
  readonly #control: SearchControl;
  readonly #stallMs: number;
  readonly #scopes = new Map<string, IgnoreScope>();
  readonly #names = new NamesInOneLine();

  constructor(control: SearchControl, stallMs: number) {
    this.#control = control;
    this.#stallMs = stallMs;
  }

  /**
   * The entries of a folder that may be seen; of its files only those whose names end in one of `endings`, and of its
   * ignored folders those in `named`.
   */
  list(folder: string, endings: readonly string[] | undefined, named: ReadonlySet<string>): Dirent[] {
    this.#control.enter(this.#stallMs);
    if (this.#control.isStopped) return [];
    const path = this.real(folder);
    const entries = this.#read(path);
    const above = this.#scopes.get(path) ?? parentScope(path);
    const scope = scopeInside(above, path, (name) => entries.some((entry) => entry.name === name));
    this.#scopes.delete(path);
    const base = path.endsWith('/') ? path : `${path}/`;
    const listed: Dirent[] = [];
    for (const entry of entries) {
      if (!this.#isVisible(entry, base, scope, named)) continue;
      const { name } = entry;
      if (!entry.isDirectory() && endings !== undefined && !endings.some((ending) => name.endsWith(ending))) continue;
      if (isUnnameable(base + name, name)) this.unreadable++;
      else listed.push(this.#asListed(entry));
    }
    return listed;
  }

  /** The path with the names as they are, for one with names as {@link list} gives them. */
  real(path: string): string {
    return this.#names.real(path);
  }

  /** What the disk tells of a file or folder, in the way of {@link list}. Throws for nothing. */
  readonly stat = (path: string): Stats => asFile(lstatSync(path));

  #asListed(entry: Dirent): Dirent {
    const listed = asFile(entry);
    const name = this.#names.standIn(entry.name);
    return name === entry.name ? listed : Object.assign(Object.create(listed) as Dirent, { name });
  }

  #isVisible(entry: Dirent, base: string, scope: IgnoreScope, named: ReadonlySet<string>): boolean {
    const { name } = entry;
    const isDirectory = entry.isDirectory();
    if (name === '.git') return false;
    const isNamed = isDirectory && named.has(name);
    if (scope.length > 0 && !isNamed && isIgnored(scope, base + name, name, isDirectory)) {
      this.ignored++;
      return false;
    }
    if (isDirectory) this.#scopes.set(base + name, scope);
    return true;
  }

  #read(path: string): Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (thrown) {
      // A pattern may ask for folders that are none.
      if (isRefusal(thrown)) this.unreadable++;
      return [];
    }
  }
}

function isRefusal(thrown: unknown): boolean {
  const code = errorCode(thrown);
  return code === 'EACCES' || code === 'EPERM' || code === 'EIO';
}
