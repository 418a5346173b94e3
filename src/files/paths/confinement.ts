import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, parse, sep } from 'node:path';
import { ToolError } from '../../core/error.js';
import { ifPossible } from '../../core/support/check-values.js';
import { plainForm } from '../../core/text/look-alikes.js';
import { isInside } from '../../core/text/path-names.js';
import { namesIn, nearNamesHint } from './file-not-found.js';
import { storageError } from './storage-error.js';

/**
 * The canonical path of an absolute path. Throws `path_outside_root` if it lies in none of the `roots`, which are
 * canonical; the message names the folders in `named`. Throws `not_a_file` for a path in or through a folder of the
 * kernel (/proc, /sys, /dev).
 */
export function confine(path: string, roots: readonly string[], named: readonly string[] = roots): string {
  let canonical: string;
  try {
    canonical = canonicalPath(path);
  } catch (thrown) {
    // An error from outside the roots would reveal what exists there.
    if (!isInside(path, roots)) throw outside(path, named);
    throw storageError(thrown, path);
  }
  if (!isInside(canonical, roots)) throw outside(path, named);
  // A root such as / must not serve files of the kernel, nor other files through links such as /proc/self/root.
  if (isKernelPath(canonical) || isKernelPath(normalize(path))) {
    throw new ToolError(
      'not_a_file',
      `Files of the kernel and its devices are not served: ${path}. Use a regular file by its own path.`,
    );
  }
  return canonical;
}

/** True for paths of files that the kernel generates. Shared memory (/dev/shm) holds ordinary files. */
export function isKernelPath(path: string): boolean {
  return process.platform !== 'win32' && /^\/(?:proc|sys|dev(?!\/shm(?:\/|$)))(?:\/|$)/.test(path);
}

/** The error for a path outside the roots. */
export function outside(path: string, roots: readonly string[]): ToolError {
  return new ToolError(
    'path_outside_root',
    `The path leads outside the workspace: ${path}. Use a path inside ${roots.join(' or ')}.`,
  );
}

/**
 * The current path of an open descriptor, even if the name by which it was opened now leads elsewhere; undefined on
 * systems without /proc. The path of a removed file ends with ` (deleted)`.
 */
export function descriptorPath(descriptor: number): string | undefined {
  return ifPossible(() => readlinkSync(`/proc/self/fd/${descriptor}`));
}

const maxLinks = 40;
const hasParentSegment = /(?:^|[\\/])\.\.(?:[\\/]|$)/;

/**
 * The real path of an absolute path. Links are followed, and `..` after a link means the parent of its target, as for
 * the operating system. The path need not exist: names below the deepest existing ancestor stay as they are, and a
 * dangling link counts as its target. Throws the error of the file system, including ELOOP for links in a circle and
 * ENOTDIR for `..` after a file.
 */
export function canonicalPath(path: string): string {
  // `realpath` fails for a path that is missing, dangling or unreadable; `walk` tells these cases apart.
  return (hasParentSegment.test(path) ? undefined : ifPossible(() => realpathSync.native(path))) ?? walk(path);
}

function walk(path: string): string {
  const { root } = parse(path);
  let current = root;
  let links = 0;
  const pending = names(path.slice(root.length)).reverse();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '..') {
      refuseFile(current);
      current = dirname(current);
      continue;
    }
    const next = join(current, name);
    if (lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink() !== true) {
      current = next;
      continue;
    }
    links++;
    if (links > maxLinks) throw Object.assign(new Error(`too many links: ${path}`), { code: 'ELOOP' });
    const target = readlinkSync(next);
    if (isAbsolute(target)) current = parse(target).root;
    pending.push(...names(isAbsolute(target) ? target.slice(parse(target).root.length) : target).reverse());
  }
  return current;
}

function refuseFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return;
  throw Object.assign(new Error(`not a folder: ${path}`), { code: 'ENOTDIR' });
}

function names(path: string): string[] {
  const parts = sep === '\\' ? path.split(/[\\/]/) : path.split('/');
  return parts.filter((name) => name !== '' && name !== '.');
}

/** The canonical path of a root. Throws a TypeError that names the option if `root` is not absolute or not a folder. */
export function canonicalRoot(root: string, option: string): string {
  if (typeof root !== 'string' || !isAbsolute(root)) throw new TypeError(`${option} must be absolute, not ${root}`);
  const canonical = existingFolder(root);
  if (canonical === undefined) throw new TypeError(`${option} must be an existing folder: ${root}`);
  if (isKernelPath(canonical)) throw new TypeError(`${option} must not be a folder of the kernel: ${root}`);
  return canonical;
}

/** The canonical path of an existing folder; undefined if it does not exist. */
export function existingFolder(path: string): string | undefined {
  return ifPossible(() => (statSync(path).isDirectory() ? realpathSync.native(path) : undefined));
}

// Only names with these characters have several spellings.
const hasSpellings = /[^\x21\x23-\x26\x28-\x7e]/;

/**
 * Corrects the spelling of a canonical path that does not exist. The first missing name is replaced by a name in the
 * folder that differs only in Unicode normalisation or, unless `exact`, in quotes or blanks. Returns undefined if the
 * folder has no such name. Throws `file_not_found` if it has several.
 */
export function alikePath(
  path: string,
  roots: readonly string[],
  spelling?: 'exact',
  isHidden?: (at: string) => boolean,
) {
  const formOf = spelling === 'exact' ? (name: string) => name.normalize('NFC') : plainForm;
  if (!hasSpellings.test(path) || existsSync(path)) return undefined;
  let missing = path;
  while (!existsSync(dirname(missing))) missing = dirname(missing);
  const [folder, form] = [dirname(missing), formOf(basename(missing))];
  if (!hasSpellings.test(form) || !isInside(folder, roots)) return undefined;
  const alike = namesIn(folder)?.filter((name) => formOf(name) === form && existsSync(join(folder, name))) ?? [];
  if (alike[0] === undefined) return undefined;
  if (alike.length === 1) return join(folder, alike[0], path.slice(missing.length));
  const named = alike.map((name) => join(folder, name)).filter((candidate) => isHidden?.(candidate) !== true);
  throw new ToolError(
    'file_not_found',
    `File not found: ${path}. Several names differ from it only in Unicode form, quotes or blanks.${nearNamesHint(named)}`,
  );
}
