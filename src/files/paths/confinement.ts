import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, parse, sep } from 'node:path';
import { ToolError } from '../../core/error.js';
import { isInside } from '../../core/paths/is-inside.js';
import { plainForm } from '../../editing/match/look-alikes.js';
import { namesIn, nearNamesHint } from './file-not-found.js';
import { storageError } from './storage-error.js';

/**
 * The canonical path of an absolute one. Throws `path_outside_root`, naming the folders of `named`, unless it lies in
 * one of the canonical `roots`, and `not_a_file` for what is, or is reached through, a folder of the kernel.
 */
export function confine(path: string, roots: readonly string[], named: readonly string[] = roots): string {
  let canonical: string;
  try {
    canonical = canonicalPath(path);
  } catch (thrown) {
    // An error from outside the roots would say what stands there.
    if (!isInside(path, roots)) throw outside(path, named);
    throw storageError(thrown, path);
  }
  if (!isInside(canonical, roots)) throw outside(path, named);
  // A root such as / must not serve files of the kernel, nor reach others through its links, such as /proc/self/root.
  if (isKernelPath(canonical) || isKernelPath(normalize(path))) {
    throw new ToolError(
      'not_a_file',
      `Files of the kernel and its devices are not served: ${path}. Use a regular file by its own path.`,
    );
  }
  return canonical;
}

/**
 * True for what the kernel makes up: processes, settings and devices. Shared memory lies among the devices and holds
 * files like any other.
 */
export function isKernelPath(path: string): boolean {
  return process.platform !== 'win32' && /^\/(?:proc|sys|dev(?!\/shm(?:\/|$)))(?:\/|$)/.test(path);
}

/** The error for a path that is in none of the roots. */
export function outside(path: string, roots: readonly string[]): ToolError {
  return new ToolError(
    'path_outside_root',
    `The path leads outside the workspace: ${path}. Use a path inside ${roots.join(' or ')}.`,
  );
}

/**
 * Where the opened descriptor really is, whatever its name led to meanwhile; undefined where the system cannot say.
 * A file that was removed since says so with ` (deleted)` at the end of its path.
 */
export function descriptorPath(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

const maxLinks = 40;
const climbs = /(?:^|[\\/])\.\.(?:[\\/]|$)/;

/**
 * The real path behind an absolute one: links followed, `..` taken from where a link leads, as the operating system
 * does it. It need not exist: past the deepest existing ancestor the names stand as they are, and a dangling link
 * counts as its target. Throws what the file system says, ELOOP for links in a circle and ENOTDIR for `..` behind a
 * file included.
 */
export function canonicalPath(path: string): string {
  if (!climbs.test(path)) {
    try {
      return realpathSync.native(path);
    } catch {
      // Missing, dangling or unreadable: the walk below finds out which.
    }
  }
  return walk(path);
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

// A name of other ASCII characters is written in one way only.
const hasForms = /[^\x21\x23-\x26\x28-\x7e]/;

/**
 * A canonical path that does not exist, with its first missing name as the folder has it: in another Unicode
 * normalisation or with other quotes or blanks, which `exact` leaves out. Undefined where there is no such name; throws
 * `file_not_found` where there are several.
 */
export function alikePath(
  path: string,
  roots: readonly string[],
  spelling?: 'exact',
  isHidden?: (at: string) => boolean,
) {
  const formOf = spelling === 'exact' ? (name: string) => name.normalize('NFC') : plainForm;
  if (!hasForms.test(path) || existsSync(path)) return undefined;
  let missing = path;
  while (!existsSync(dirname(missing))) missing = dirname(missing);
  const [folder, form] = [dirname(missing), formOf(basename(missing))];
  if (!hasForms.test(form) || !isInside(folder, roots)) return undefined;
  const alike = namesIn(folder)?.filter((name) => formOf(name) === form && existsSync(join(folder, name))) ?? [];
  if (alike[0] === undefined) return undefined;
  if (alike.length === 1) return join(folder, alike[0], path.slice(missing.length));
  const named = alike.map((name) => join(folder, name)).filter((candidate) => isHidden?.(candidate) !== true);
  throw new ToolError('file_not_found', `File not found: ${path}. Several names look like it.${nearNamesHint(named)}`);
}
