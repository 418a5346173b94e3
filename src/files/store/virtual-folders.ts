import { Dirent, type Stats } from 'node:fs';
import { posix } from 'node:path';
import { NamesInOneLine } from '../paths/names-with-line-breaks.js';
import type { SearchControl } from '../search/threads/search-control.js';
import { type IgnoreScope, isIgnored, parentScope, scopeInside } from '../search/walk/ignore-scope.js';
import type { IgnoreSource } from '../search/walk/ignore-source.js';
import type { DatedPath } from '../search/walk/search-order.js';

type Kind = 'file' | 'directory';

/** What {@link VirtualFolders} serves. */
export interface VirtualFoldersOptions {
  readonly files: readonly DatedPath[];
  readonly rules: IgnoreSource;
  readonly control: SearchControl;
  /** How long matching the names of one folder may take. */
  readonly stallMs: number;
}

/**
 * Folders of files that stand on no disk, in the form in which a glob walk asks a disk: without `.git` and what
 * `.gitignore` hides.
 */
export class VirtualFolders {
  /** Entries that ignore rules left out. */
  ignored = 0;
  readonly unreadable = 0;
  readonly #rules: IgnoreSource;
  readonly #scopes = new Map<string, IgnoreScope>();
  readonly #names = new NamesInOneLine();
  readonly #control: SearchControl;
  readonly #stallMs: number;
  readonly #ages = new Map<string, number>();
  readonly #folders = new Map<string, Map<string, Kind>>();

  constructor({ files, rules, control, stallMs }: VirtualFoldersOptions) {
    this.#rules = rules;
    this.#control = control;
    this.#stallMs = stallMs;
    for (const { path, mtimeMs } of files) {
      this.#ages.set(path, mtimeMs);
      this.#enter(path, 'file');
    }
  }

  /**
   * The entries of a folder; of its files only those whose names end in one of `endings`, and of its ignored folders
   * those in `named`.
   */
  list(folder: string, endings: readonly string[] | undefined, named: ReadonlySet<string>): Dirent[] {
    this.#control.enter(this.#stallMs);
    if (this.#control.isStopped) return [];
    const path = this.real(folder);
    const scope = scopeInside(this.#scopes.get(path) ?? parentScope(path, this.#rules), path, () => true, this.#rules);
    this.#scopes.delete(path);
    const base = path.endsWith('/') ? path : `${path}/`;
    const listed: Dirent[] = [];
    for (const [name, kind] of this.#folders.get(path) ?? []) {
      if (!this.#isVisible(base, name, kind, scope, named)) continue;
      if (kind === 'directory' || endings === undefined || endings.some((ending) => name.endsWith(ending)))
        listed.push(virtualEntry(this.#names.standIn(name), kind));
    }
    return listed;
  }

  /** The path with the names as they are, for one with names as {@link list} gives them. */
  real(path: string): string {
    return this.#names.real(path);
  }

  /** What a disk tells of a file or folder. Throws ENOENT for nothing. */
  readonly stat = (path: string): Stats => {
    const folder = this.#folders.get(posix.dirname(path));
    const kind = this.#folders.has(path) ? 'directory' : folder?.get(posix.basename(path));
    if (kind === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    return virtualEntry(posix.basename(path), kind) as unknown as Stats;
  };

  /** When a file was changed last; undefined for anything else. */
  age(path: string): number | undefined {
    return this.#ages.get(path);
  }

  #isVisible(base: string, name: string, kind: Kind, scope: IgnoreScope, named: ReadonlySet<string>): boolean {
    if (name === '.git') return false;
    const isNamed = kind === 'directory' && named.has(name);
    if (scope.length > 0 && !isNamed && isIgnored(scope, base + name, name, kind === 'directory')) {
      this.ignored++;
      return false;
    }
    if (kind === 'directory') this.#scopes.set(base + name, scope);
    return true;
  }

  #enter(path: string, kind: Kind): void {
    const parent = posix.dirname(path);
    const known = this.#folders.get(parent);
    const entries = known ?? new Map<string, Kind>();
    entries.set(posix.basename(path), kind);
    if (known !== undefined) return;
    this.#folders.set(parent, entries);
    if (parent !== '/') this.#enter(parent, 'directory');
  }
}

/** A folder entry as a disk lists it. */
export function virtualEntry(name: string, kind: 'file' | 'directory'): Dirent {
  return Object.assign(Object.create(Dirent.prototype) as Dirent, {
    name,
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'directory',
  });
}
