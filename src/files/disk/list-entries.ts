import { readdirSync, readlinkSync } from 'node:fs';
import type { FileEntry } from '../../ports/file-system.js';
import type { OpenDirectory } from './open-directory.js';

/** What stands in a folder, by name. */
export function listEntries(directory: OpenDirectory): FileEntry[] {
  return readdirSync(directory.at('.'), { withFileTypes: true })
    .map((entry): FileEntry => {
      const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other';
      return { name: entry.name, kind, ...(entry.isSymbolicLink() ? linkAt(directory.at(entry.name)) : {}) };
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Where a link leads; nothing where it is gone by now. */
function linkAt(path: string): Pick<FileEntry, 'link'> {
  try {
    return { link: readlinkSync(path) };
  } catch {
    return {};
  }
}
