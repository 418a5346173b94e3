import { lstatSync } from 'node:fs';

/**
 * Whether an entry that was listed cannot be reached, because its name is not UTF-8 and what stands for it is another
 * name.
 */
export function isUnnameable(path: string, name: string): boolean {
  return name.includes('\ufffd') && lstatSync(path, { throwIfNoEntry: false }) === undefined;
}
