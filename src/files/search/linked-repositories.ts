import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { diskIgnoreSource } from './walk/ignore-source.js';
import { virtualFilter } from './walk/virtual-filter.js';

/**
 * Tells which files below `start` the rules of a repository hide whose `.git` is a file: a worktree, a submodule or one
 * with a separate git directory. ripgrep does not find the `info/exclude` of all of these.
 */
export function hiddenByLinkedRepository(start: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const isLinked = (folder: string): boolean => {
    const found = known.get(folder);
    if (found !== undefined) return found;
    const git = statSync(`${folder}/.git`, { throwIfNoEntry: false });
    const parent = dirname(folder);
    const linked = git === undefined ? parent !== folder && isLinked(parent) : git.isFile();
    known.set(folder, linked);
    return linked;
  };
  const isWalked = virtualFilter({
    start,
    relativeTo: start,
    rules: diskIgnoreSource,
    first: () => 'unknown',
    last: () => true,
  });
  return (path) => isLinked(dirname(path)) && !isWalked(path);
}
