import { readlinkSync } from 'node:fs';
import { ToolError } from '../core/error.js';
import { canonicalPath } from './canonical-path.js';
import { storageError } from './storage-error.js';

/** True when `path` is `root` or below it, compared by whole segments. Both canonical. */
export function isInside(path: string, root: string, platform: NodeJS.Platform = process.platform): boolean {
  const separator = platform === 'win32' ? '\\' : '/';
  const [inner, outer] = platform === 'win32' ? [path.toLowerCase(), root.toLowerCase()] : [path, root];
  return inner === outer || inner.startsWith(outer.endsWith(separator) ? outer : outer + separator);
}

/** The canonical path of an absolute one. Throws `path_outside_root` unless it lies in one of the canonical `roots`. */
export function confine(path: string, roots: readonly string[]): string {
  let canonical: string;
  try {
    canonical = canonicalPath(path);
  } catch (thrown) {
    // What went wrong outside is nobody's business inside.
    if (!roots.some((root) => isInside(path, root))) throw outside(path, roots);
    throw storageError(thrown, path);
  }
  if (!roots.some((root) => isInside(canonical, root))) throw outside(path, roots);
  refuseVirtual(canonical, path);
  return canonical;
}

/** The error for a path that is in none of the roots. */
export function outside(path: string, roots: readonly string[]): ToolError {
  return new ToolError('path_outside_root', `The path leads outside the workspace: ${path}. Use a path inside ${roots.join(' or ')}.`);
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

// A root that holds them (such as /) must not open the doors of the kernel.
function refuseVirtual(canonical: string, path: string): void {
  if (process.platform !== 'win32' && /^\/(?:proc|sys|dev)(?:\/|$)/.test(canonical)) {
    throw new ToolError('not_a_file', `Files of the kernel and its devices are not served: ${path}. Use a regular file.`);
  }
}
