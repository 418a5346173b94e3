import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../../core/error.js';
import { isInside } from '../../core/paths/is-inside.js';
import { plainForm } from '../../editing/match/look-alikes.js';
import { namesIn, nearNamesHint } from './file-not-found.js';

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
