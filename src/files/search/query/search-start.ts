import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolError } from '../../../core/error.js';
import { errorCode } from '../../../core/support/os-error-code.js';
import { isInside } from '../../../core/text/path-names.js';

/** The file or folder to search, after the check by {@link searchStart}. */
export interface SearchStart {
  /** Canonical absolute path. */
  readonly path: string;
  readonly kind: 'file' | 'directory';
  /** The path itself, or the folder of a file. */
  readonly directory: string;
}

/**
 * Checks the start of a search. Throws `path_outside_root`, `file_not_found`, `storage_failed`, and `not_a_file` for a
 * device, pipe or socket.
 */
export async function searchStart(path: string, roots: readonly string[]): Promise<SearchStart> {
  if (!isInside(path, roots)) throw outsideRoots(path, roots);
  const found = await statOf(path);
  if (found.isDirectory()) return { path, kind: 'directory', directory: path };
  if (found.isFile()) return { path, kind: 'file', directory: dirname(path) };
  throw new ToolError('not_a_file', `Neither a file nor a folder: ${path}. Search a folder.`);
}

function outsideRoots(path: string, roots: readonly string[]): ToolError {
  return new ToolError('path_outside_root', `Outside the workspace: ${path}. Search inside ${roots.join(' or ')}.`);
}

async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new ToolError('file_not_found', `No such file or folder: ${path}. Use Glob to find it.`, { cause });
    }
    throw new ToolError('storage_failed', `${path} cannot be searched: ${code ?? String(cause)}.`, { cause });
  }
}
