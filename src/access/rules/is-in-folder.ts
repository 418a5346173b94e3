import { isAbsolute, relative, sep } from 'node:path';

/** Whether an absolute path is a folder or below it, by its name alone: links are not followed. */
export function isInFolder(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}
