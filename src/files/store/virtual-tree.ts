import { posix } from 'node:path';
import { ToolError } from '../../core/error.js';
import { isInside } from '../../core/text/path-names.js';
import type { FileEntry, FileStat } from '../../ports/file-system.js';
import { notFolder } from '../disk/folders.js';
import { notFile } from '../disk/open-file.js';
import { outside } from '../paths/confinement.js';
import { nearFilesHint, noFolderHint } from '../paths/file-not-found.js';
import { absolutePath } from '../paths/syntax.js';

/** A tree of files that are not on the disk, by canonical path. A folder exists as long as it contains files. */
export function virtualTree(root: string, paths: readonly string[]) {
  function isFolder(path: string): boolean {
    const prefix = folderPrefix(path);
    return path === root || paths.some((file) => file.startsWith(prefix));
  }

  /** The entries of a folder, by name. Throws `not_a_file` for a file, `file_not_found` if nothing exists there. */
  function entries(folder: string): FileEntry[] {
    requireFolder(folder);
    const prefix = folderPrefix(folder);
    const found = new Map<string, FileStat['kind']>();
    for (const file of paths) {
      if (!file.startsWith(prefix)) continue;
      const [name = '', ...deeper] = file.slice(prefix.length).split('/');
      found.set(name, deeper.length > 0 ? 'directory' : 'file');
    }
    return [...found].map(([name, kind]) => ({ name, kind })).sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  function requireFolder(path: string): void {
    if (isFolder(path)) return;
    if (has(path)) throw notFolder(path);
    throw missing(path);
  }

  function requireAny(path: string): void {
    if (!has(path) && !isFolder(path)) throw missing(path);
  }

  /** Throws `not_a_file` for a path of a folder, or below a file. */
  function refusePlace(path: string): void {
    if (isFolder(path)) throw notFile(path);
    if (paths.some((file) => path.startsWith(folderPrefix(file))))
      throw new ToolError('not_a_file', `A folder of the path is a file: ${path}. Use another path.`);
  }

  function missing(path: string): ToolError {
    if (isFolder(path)) return notFile(path);
    const folder = posix.dirname(path);
    const hint = isFolder(folder)
      ? nearFilesHint(
          posix.basename(path),
          entries(folder).map(({ name }) => name),
          (name) => posix.join(folder, name),
        )
      : noFolderHint(folder);
    return new ToolError('file_not_found', `File not found: ${path}.${hint}`);
  }

  function has(path: string): boolean {
    return paths.includes(path);
  }

  return { isFolder, entries, requireFolder, requireAny, refusePlace, missing };
}

/**
 * The canonical path below the root, without a disk. Throws the errors of {@link absolutePath} and `path_outside_root`.
 */
export function virtualPath(path: string, root: string): string {
  const canonical = posix.resolve(absolutePath(path, { root, relativePaths: 'reject', platform: 'linux' }));
  if (isInside(canonical, [root], 'linux')) return canonical;
  throw outside(path, [root]);
}

/** The status of a folder that is not on the disk. */
export function virtualFolder(path: string): FileStat {
  return { path, kind: 'directory', size: 0, mtimeMs: 0, mode: 0o755, version: 'folder' };
}

function folderPrefix(path: string): string {
  return path === '/' ? '/' : `${path}/`;
}
