import { dirname } from 'node:path';
import { diskIgnoreSource, type IgnoreRules, type IgnoreSource, type OnUnreadable } from './ignore-rules.js';

/** The rules that apply in a folder, nearest first. */
export type IgnoreScope = readonly IgnoreRules[];

/**
 * Whether a path is ignored; the nearest rule with a verdict decides. `path` is absolute with forward slashes.
 */
export function isIgnored(scope: IgnoreScope, path: string, name: string, isDirectory: boolean): boolean {
  for (const rules of scope) {
    const verdict = rules.decide(path, name, isDirectory);
    if (verdict !== 'unknown') return verdict === 'ignored';
  }
  return false;
}

/**
 * The scope inside a searched folder: first its own rules, then the rules of its parents, last the rules of
 * `info/exclude`. The top folder of a repository does not inherit rules from its parents. `has` says whether the folder
 * contains a name.
 */
export function scopeInside(
  parent: IgnoreScope,
  directory: string,
  has: (name: string) => boolean,
  source: IgnoreSource = diskIgnoreSource,
  onUnreadable?: OnUnreadable,
): IgnoreScope {
  const isRepository = has('.git') && source.isRepository(directory);
  const opened = isRepository ? [] : openedScope(parent, directory);
  const own = has('.gitignore') ? source.rules(directory, onUnreadable) : undefined;
  const excluded = isRepository ? source.excluded?.(directory, onUnreadable) : undefined;
  if (own === undefined && excluded === undefined) return opened;
  return [own, ...opened, excluded].filter((rules) => rules !== undefined);
}

/**
 * The rules of the folders above `directory`, up to the top of its git repository, and the rules of `info/exclude` of
 * that repository. Returns no rules if they would ignore everything in `directory`, since the caller named that folder
 * explicitly.
 */
export function parentScope(
  directory: string,
  source: IgnoreSource = diskIgnoreSource,
  onUnreadable?: OnUnreadable,
): IgnoreScope {
  const scope: IgnoreRules[] = [];
  let below = directory;
  for (; !source.isRepository(below); below = dirname(below)) {
    const folder = dirname(below);
    if (folder === below) break;
    const rules = source.rules(folder, onUnreadable);
    if (rules !== undefined) scope.push(rules.opened(directory));
  }
  const excluded = below === directory ? undefined : source.excluded?.(below, onUnreadable);
  if (excluded !== undefined) scope.push(excluded.opened(directory));
  return scope.length > 0 && hidesEverything(scope, directory) ? [] : scope;
}

/** Whether a folder is the top of a git repository or below one. */
export function isInRepository(directory: string, source: IgnoreSource = diskIgnoreSource): boolean {
  const parent = dirname(directory);
  return source.isRepository(directory) || (parent !== directory && isInRepository(parent, source));
}

function hidesEverything(scope: IgnoreScope, directory: string): boolean {
  // A private-use character that no rule names.
  const name = '\u{10fffd}';
  const child = `${directory}/${name}`;
  return isIgnored(scope, child, name, true) && isIgnored(scope, child, name, false);
}

/**
 * A folder may be searched although one ignore file matches it, because a nearer ignore file or a glob includes it.
 * In that case the rules that ignore the folder itself must not ignore everything in it.
 */
function openedScope(scope: IgnoreScope, directory: string): IgnoreScope {
  const name = directory.slice(directory.lastIndexOf('/') + 1);
  if (scope.every((rules) => rules.decide(directory, name, true) !== 'ignored')) return scope;
  return scope.map((rules) => (rules.decide(directory, name, true) === 'ignored' ? rules.opened(directory) : rules));
}
