import { isAbsolute, resolve } from 'node:path';
import { isInside } from '../../core/paths/is-inside.js';
import type { FileSystem } from '../../ports/file-system.js';
import { decorateFiles } from './decorate-files.js';

/** A folder that can be read beside the files of another file system. It may come later, and go. */
export interface ServedFolder {
  /** Canonical; undefined while there is none. */
  path(): string | undefined;
  /** What reads and searches in it go to. */
  files(): FileSystem;
}

/**
 * The files of `base`, and with them one folder of the disk to be read and searched by its path.
 * It shows in no listing or search of what is above it, and nothing in it is changed.
 */
export function serveFolder(base: FileSystem, folder: ServedFolder): FileSystem {
  const at = (given: string | undefined): FileSystem => {
    const path = folder.path();
    if (path === undefined || given === undefined || !isAbsolute(given)) return base;
    return isInside(resolve(given), [path]) ? folder.files() : base;
  };
  return decorateFiles(base, {
    resolve: (path, scope, spelling) => at(path).resolve(path, scope, spelling),
    stat: (path, scope) => at(path).stat(path, scope),
    open: (path, scope) => at(path).open(path, scope),
    list: (path, scope) => at(path).list(path, scope),
    grep: (query, scope) => at(query.path).grep(query, scope),
  });
}
