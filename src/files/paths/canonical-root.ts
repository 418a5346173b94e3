import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isKernelPath } from './confinement.js';

/**
 * The canonical path of a folder that is to be served. Throws a TypeError, naming the option, for one that is not
 * absolute, does not exist or is the kernel's.
 */
export function canonicalRoot(root: string, option: string): string {
  if (typeof root !== 'string' || !isAbsolute(root)) throw new TypeError(`${option} must be absolute, not ${root}`);
  const canonical = existingFolder(root);
  if (canonical === undefined) throw new TypeError(`${option} must be an existing folder: ${root}`);
  if (isKernelPath(canonical)) throw new TypeError(`${option} must not be a folder of the kernel: ${root}`);
  return canonical;
}

/** Where a folder really is; undefined where there is none. */
export function existingFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync.native(path) : undefined;
  } catch {
    return undefined;
  }
}
