import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../../core/error.js';
import { ifPossible } from '../../core/support/check-values.js';
import { slipsOf } from '../../core/support/near-names.js';
import { isInside } from '../../core/text/path-names.js';

const maxNames = 10_000;

/** The error `file_not_found`, which names similar files of the folder, or says that the folder does not exist. */
export function fileNotFound(path: string, roots: readonly string[], isHidden?: (path: string) => boolean): ToolError {
  return new ToolError('file_not_found', `File not found: ${path}.${hint(path, roots, isHidden)}`);
}

function hint(path: string, roots: readonly string[], isHidden: ((path: string) => boolean) | undefined): string {
  const folder = dirname(path);
  if (!isInside(folder, roots)) return '';
  const names = namesIn(folder);
  if (names === undefined) return noFolderHint(folder);
  return nearNamesHint(
    similar(basename(path), names)
      .map((name) => join(folder, name))
      .filter((candidate) => isHidden?.(candidate) !== true),
  );
}

/** The hint for a missing file in a missing folder. */
export function noFolderHint(folder: string): string {
  return ` The folder ${folder} does not exist either; use Glob to find the right path.`;
}

/** The hint for a missing file in a folder with these names; `pathOf` converts a name to its path. */
export function nearFilesHint(name: string, names: readonly string[], pathOf: (name: string) => string): string {
  return nearNamesHint(similar(name, names).map(pathOf));
}

/** The hint that suggests `paths`, or Glob if there are none. */
export function nearNamesHint(paths: readonly string[]): string {
  return paths.length === 0 ? ' Use Glob to find the right path.' : ` Did you mean ${paths.join(' or ')}?`;
}

function similar(name: string, names: readonly string[]): string[] {
  const stem = stemOf(name);
  const otherEnding = names.filter((candidate) => stem !== '' && stemOf(candidate) === stem);
  const all = slipsOf(name, names, 2);
  // Short names may be similar only in their extension; such a name is suggested only if there is no other.
  const near = all.filter((candidate) => stem === '' || slipsOf(stem, [stemOf(candidate)], 2).length > 0);
  return [...new Set([...(near.length === 0 && all.length === 1 ? all : near), ...otherEnding])].slice(0, 3);
}

function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, '').toLowerCase();
}

/** The first 10,000 names in a folder; undefined if it cannot be read. */
export function namesIn(folder: string): string[] | undefined {
  return ifPossible(() => readdirSync(folder).slice(0, maxNames));
}
