import { isAbsolute, resolve } from 'node:path';
import { isInside } from '../../core/text/path-names.js';
import type { FileSystem } from '../../ports/file-system.js';
import { decorateFiles } from './decorate-files.js';

/** A read-only folder beside another file system. It may appear and disappear later. */
export interface ServedFolder {
  /** The canonical path; undefined while the folder does not exist. */
  path(): string | undefined;
  files(): FileSystem;
}

/**
 * Adds a read-only folder of the disk to `base`. Lists and searches of its parent folders leave it out, and Glob does
 * not search it.
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
