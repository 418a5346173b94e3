import { posix } from 'node:path';
import { ToolError } from '../../core/error.js';
import { isInside } from '../../core/text/path-names.js';
import type { FileEntry, FileStat } from '../../ports/file-system.js';
import { outside } from '../paths/confinement.js';
import { nearFilesHint } from '../paths/file-not-found.js';
import { absolutePath } from '../paths/path-syntax.js';

/** Files outside the disk, by their canonical paths. A folder exists as long as it holds files. */
export class VirtualTree {
  readonly #root: string;
  readonly #paths: () => Iterable<string>;

  /** `paths` returns the existing files; it is called each time. */
  constructor(root: string, paths: () => Iterable<string>) {
    this.#root = root;
    this.#paths = paths;
  }

  isFolder(path: string): boolean {
    const prefix = folderPrefix(path);
    return path === this.#root || [...this.#paths()].some((file) => file.startsWith(prefix));
  }

  /** The entries of a folder, by name. Throws `not_a_file` for a file, `file_not_found` if nothing exists there. */
  entries(folder: string): FileEntry[] {
    this.requireFolder(folder);
    const prefix = folderPrefix(folder);
    const found = new Map<string, FileStat['kind']>();
    for (const file of this.#paths()) {
      if (!file.startsWith(prefix)) continue;
      const [name = '', ...deeper] = file.slice(prefix.length).split('/');
      found.set(name, deeper.length > 0 ? 'directory' : 'file');
    }
    return [...found].map(([name, kind]) => ({ name, kind })).sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  requireFolder(path: string): void {
    if (this.isFolder(path)) return;
    if (this.#has(path)) throw new ToolError('not_a_file', `This is a file, not a folder: ${path}. Use Read.`);
    throw this.missing(path);
  }

  requireAny(path: string): void {
    if (!this.#has(path) && !this.isFolder(path)) throw this.missing(path);
  }

  /** Throws `not_a_file` for a path of a folder, or below a file. */
  refusePlace(path: string): void {
    if (this.isFolder(path)) throw isFolder(path);
    if ([...this.#paths()].some((file) => path.startsWith(folderPrefix(file))))
      throw new ToolError('not_a_file', `A folder of the path is a file: ${path}. Use another path.`);
  }

  missing(path: string): ToolError {
    if (this.isFolder(path)) return isFolder(path);
    const folder = posix.dirname(path);
    const hint = this.isFolder(folder)
      ? nearFilesHint(
          posix.basename(path),
          this.entries(folder).map(({ name }) => name),
          (name) => posix.join(folder, name),
        )
      : ` The folder ${folder} does not exist either; use Glob to find the right path.`;
    return new ToolError('file_not_found', `File not found: ${path}.${hint}`);
  }

  #has(path: string): boolean {
    return [...this.#paths()].includes(path);
  }
}

/**
 * The canonical path below the root, without a disk. Throws the errors of {@link absolutePath} and `path_outside_root`.
 */
export function virtualPath(path: string, root: string): string {
  const canonical = posix.resolve(absolutePath(path, { root, relativePaths: 'reject', platform: 'linux' }));
  if (isInside(canonical, [root], 'linux')) return canonical;
  throw outside(path, [root]);
}

/** The facts about a folder outside the disk. */
export function virtualFolder(path: string): FileStat {
  return { path, kind: 'directory', size: 0, mtimeMs: 0, mode: 0o755, version: 'folder' };
}

function folderPrefix(path: string): string {
  return path === '/' ? '/' : `${path}/`;
}

function isFolder(path: string): ToolError {
  return new ToolError('not_a_file', `This is a folder, not a file: ${path}. Use Glob to see what is in it.`);
}
