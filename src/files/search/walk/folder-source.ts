import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { isMissing } from '../../../core/support/os-error-code.js';
import { fileTime } from './file-times.js';
import { diskIgnoreSource, type IgnoreSource } from './ignore-rules.js';

export type FolderEntry = Pick<Dirent, 'name' | 'isDirectory' | 'isFile'>;

/** The folders of a walk: on the disk, or of virtual files. */
export interface Folders {
  readonly rules: IgnoreSource;
  /** The entries of a folder; undefined if the folder cannot be read, empty if the path is not a folder. */
  list(folder: string): readonly FolderEntry[] | undefined;
  /** When a file was last changed; undefined if the path is not a file inside the roots. */
  mtimeOf(path: string): number | undefined;
  /** Whether a listed entry cannot be opened by its name. */
  isUnnameable(path: string, name: string): boolean;
}

export function diskFolders(roots: readonly string[]): Folders {
  return {
    rules: diskIgnoreSource,
    list(folder) {
      try {
        return readdirSync(folder, { withFileTypes: true });
      } catch (thrown) {
        // A pattern may name a folder that does not exist.
        return isMissing(thrown) ? [] : undefined;
      }
    },
    mtimeOf: (path) => fileTime(path, roots),
    isUnnameable,
  };
}

/**
 * Whether a listed entry cannot be opened, because its name is not UTF-8 and U+FFFD in the listed name differs from the
 * real bytes.
 */
export function isUnnameable(path: string, name: string): boolean {
  return name.includes('\ufffd') && lstatSync(path, { throwIfNoEntry: false }) === undefined;
}
