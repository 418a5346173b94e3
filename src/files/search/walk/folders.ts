import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { errorCode } from '../../paths/storage-error.js';
import { diskIgnoreSource, type IgnoreSource } from './ignore-source.js';
import { fileAge } from './order.js';

/** What a walk looks at: the disk, or files that stand on none. */
export interface Folders {
  readonly rules: IgnoreSource;
  /** What is in a folder; undefined where it cannot be read, nothing where it is none. */
  list(folder: string): readonly Pick<Dirent, 'name' | 'isDirectory'>[] | undefined;
  /** When a file was changed last; undefined for what is no file inside the roots. */
  age(path: string): number | undefined;
  /** Whether what was listed cannot be reached by its name. */
  isUnnameable(path: string, name: string): boolean;
}

/** The folders of the disk. */
export function diskFolders(roots: readonly string[]): Folders {
  return {
    rules: diskIgnoreSource,
    list(folder) {
      try {
        return readdirSync(folder, { withFileTypes: true });
      } catch (thrown) {
        // A pattern may ask for folders that are none.
        return /^(?:EACCES|EPERM|EIO)$/.test(errorCode(thrown) ?? '') ? undefined : [];
      }
    },
    age: (path) => fileAge(path, roots),
    isUnnameable,
  };
}

/**
 * Whether an entry that was listed cannot be reached, because its name is not UTF-8 and what stands for it is another
 * name.
 */
export function isUnnameable(path: string, name: string): boolean {
  return name.includes('\ufffd') && lstatSync(path, { throwIfNoEntry: false }) === undefined;
}
