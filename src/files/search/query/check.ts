import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolError } from '../../../core/error.js';
import { errorCode } from '../../../core/support/os-error-code.js';
import { isInside } from '../../../core/text/path-names.js';
import type { GlobQuery, GrepQuery } from '../../../ports/file-system.js';

/**
 * Longer than any pattern that a person writes, and shorter than the longest argument of a program on Linux (128 KiB,
 * execve(2)).
 */
const maxPatternBytes = 100_000;
/** Twice the longest path on Linux. */
const maxGlobBytes = 8_192;

/** Throws `invalid_input` for a Grep query that neither engine accepts. */
export function checkGrepQuery({ pattern, glob, type }: Pick<GrepQuery, 'pattern' | 'glob' | 'type'>): void {
  if (pattern.includes('\0')) throw zeroByte('pattern', 'Files that contain one are binary and are not searched');
  refuseLong('pattern', pattern, maxPatternBytes);
  checkGlob('glob', glob ?? '*');
  checkGlob('type', type ?? 'all');
}

/** Throws `invalid_input` for an unusable Glob pattern. */
export function checkGlobQuery({ pattern }: Pick<GlobQuery, 'pattern'>): void {
  if (pattern === '') throw new ToolError('invalid_input', 'The pattern is empty. Give a glob such as **/*.ts.');
  checkGlob('pattern', pattern);
}

function checkGlob(field: 'pattern' | 'glob' | 'type', text: string): void {
  if (text.includes('\0')) throw zeroByte(field, 'File names cannot contain zero bytes');
  refuseLong(field, text, maxGlobBytes);
}

function zeroByte(field: string, why: string): ToolError {
  return new ToolError('invalid_input', `The ${field} contains a zero byte. ${why}; leave it out.`);
}

function refuseLong(field: string, text: string, maxBytes: number): void {
  if (text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes) return;
  throw new ToolError(
    'invalid_input',
    `The ${field} is longer than ${maxBytes} bytes; shorten it, or search in several steps.`,
  );
}

/** The file or folder to search, checked by {@link searchStart}. */
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
  if (!isInside(path, roots))
    throw new ToolError('path_outside_root', `Outside the workspace: ${path}. Search inside ${roots.join(' or ')}.`);
  const found = await statOf(path);
  if (found.isDirectory()) return { path, kind: 'directory', directory: path };
  if (found.isFile()) return { path, kind: 'file', directory: dirname(path) };
  throw new ToolError('not_a_file', `Neither a file nor a folder: ${path}. Search a folder.`);
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
