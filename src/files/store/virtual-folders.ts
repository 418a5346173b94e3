import { posix } from 'node:path';
import type { Folders } from '../search/walk/folders.js';
import type { IgnoreSource } from '../search/walk/ignore-source.js';
import type { DatedPath } from '../search/walk/search-order.js';

/** The folders of files that stand on no disk. */
export function virtualFolders(files: readonly DatedPath[], rules: IgnoreSource): Folders {
  const ages = new Map(files.map(({ path, mtimeMs }) => [path, mtimeMs]));
  const folders = new Map<string, Map<string, boolean>>();
  const enter = (path: string, isDirectory: boolean) => {
    const parent = posix.dirname(path);
    const known = folders.get(parent);
    const entries = known ?? new Map<string, boolean>();
    entries.set(posix.basename(path), isDirectory);
    if (known !== undefined) return;
    folders.set(parent, entries);
    if (parent !== '/') enter(parent, true);
  };
  for (const path of ages.keys()) enter(path, false);
  return {
    rules,
    list: (folder) =>
      Array.from(folders.get(folder) ?? [], ([name, isDirectory]) => ({ name, isDirectory: () => isDirectory })),
    age: (path) => ages.get(path),
    isUnnameable: () => false,
  };
}
