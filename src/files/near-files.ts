import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../core/error.js';
import { nearNames } from '../core/near-names.js';
import { isInside } from './confinement.js';

const maxNames = 10_000;

/** `file_not_found` for a canonical path, naming files of nearly the same name in the folder, or the deepest folder that exists. */
export function fileNotFound(path: string, roots: readonly string[], isHidden?: (path: string) => boolean): ToolError {
  return new ToolError('file_not_found', `File not found: ${path}.${hint(path, roots, isHidden)}`);
}

function hint(path: string, roots: readonly string[], isHidden: ((path: string) => boolean) | undefined): string {
  const folder = dirname(path);
  if (!roots.some((root) => isInside(folder, root))) return '';
  const names = listed(folder);
  if (names === undefined) return ` The folder ${folder} does not exist either; use Glob to find the right path.`;
  const near = similar(basename(path), names)
    .map((name) => join(folder, name))
    .filter((candidate) => isHidden?.(candidate) !== true);
  return near.length === 0 ? ' Use Glob to find the right path.' : ` Did you mean ${near.join(' or ')}?`;
}

function similar(name: string, names: readonly string[]): string[] {
  const stem = name.replace(/\.[^.]*$/, '').toLowerCase();
  const otherEnding = names.filter((candidate) => stem !== '' && candidate.replace(/\.[^.]*$/, '').toLowerCase() === stem);
  return [...new Set([...nearNames(name, names), ...otherEnding])].slice(0, 3);
}

function listed(folder: string): string[] | undefined {
  try {
    return readdirSync(folder).slice(0, maxNames);
  } catch {
    return undefined;
  }
}
