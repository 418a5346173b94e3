import { didYouMean } from '../../../core/support/near-names.js';
import { globSource } from '../glob/glob-expression.js';
import { PatternError } from '../query/pattern-error.js';
import { fileTypes } from './file-type-table.js';

/**
 * Which file names belong to a type such as `ts`, as for `rg --type`; `all` is every known type. Throws a {@link
 * PatternError} for an unknown one.
 */
export function typeFilter(type: string): (name: string) => boolean {
  const table = readTable();
  const globs = type === 'all' ? [...table.values()].flat() : table.get(type);
  if (globs === undefined) throw new PatternError(`unrecognized file type: ${type}.${didYouMean(type, table.keys())}`);
  const expressions = globs.map((glob) => new RegExp(globSource(glob), 's'));
  return (name) => expressions.some((expression) => expression.test(name));
}

function readTable(): Map<string, readonly string[]> {
  const table = new Map<string, readonly string[]>();
  for (const line of fileTypes.trim().split(/; |\n/)) {
    const colon = line.indexOf(':');
    table.set(line.slice(0, colon), line.slice(colon + 2).split(' '));
  }
  return table;
}
