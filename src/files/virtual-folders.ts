import { Dirent, type Stats } from 'node:fs';
import { posix } from 'node:path';
import type { SearchControl } from './search-control.js';
import type { DatedPath } from './search-order.js';

type Kind = 'file' | 'directory';

/** Folders of files that stand on no disk, in the form in which a glob walk asks a disk. They have no ignore rules; `.git` is left out below the walked folder. */
export class VirtualFolders {
  readonly ignored = 0;
  readonly unreadable = 0;
  readonly #control: SearchControl;
  readonly #stallMs: number;
  readonly #ages = new Map<string, number>();
  readonly #folders = new Map<string, Map<string, Kind>>();

  constructor(files: readonly DatedPath[], control: SearchControl, stallMs: number) {
    this.#control = control;
    this.#stallMs = stallMs;
    for (const { path, mtimeMs } of files) {
      this.#ages.set(path, mtimeMs);
      this.#enter(path, 'file');
    }
  }

  /** The entries of a folder; of its files only those whose names end in one of `endings`. */
  list(path: string, endings: readonly string[] | undefined): Dirent[] {
    this.#control.enter(this.#stallMs);
    if (this.#control.isStopped) return [];
    return [...(this.#folders.get(path) ?? [])]
      .filter(
        ([name, kind]) =>
          name !== '.git' && (kind === 'directory' || endings === undefined || endings.some((ending) => name.endsWith(ending))),
      )
      .map(([name, kind]) => virtualEntry(name, kind));
  }

  /** What a disk tells of a file or folder. Throws ENOENT for nothing. */
  readonly stat = (path: string): Stats => {
    const folder = this.#folders.get(posix.dirname(path));
    const kind = this.#folders.has(path) ? 'directory' : folder?.get(posix.basename(path));
    if (kind === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    return virtualEntry(posix.basename(path), kind) as unknown as Stats;
  };

  /** Whether a file or folder is there. */
  has(path: string): boolean {
    return this.#ages.has(path) || this.#folders.has(path);
  }

  /** When a file was changed last; undefined for anything else. */
  age(path: string): number | undefined {
    return this.#ages.get(path);
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
