import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type IgnoreRules, readIgnoreRules } from './ignore-rules.js';

/** The rules that count in a folder, nearest first. */
export type IgnoreScope = readonly IgnoreRules[];

/** Whether the rules hide a path; the nearest rule that says something decides. `path` is absolute with forward slashes. */
export function isIgnored(scope: IgnoreScope, path: string, name: string, isDirectory: boolean): boolean {
  for (const rules of scope) {
    const verdict = rules.decide(below(rules, path), name, isDirectory);
    if (verdict !== 'unknown') return verdict === 'ignored';
  }
  return false;
}

/** The scope inside `directory`: its own rules before those of its parent. */
export function scopeInside(parent: IgnoreScope, directory: string, hasRules: boolean): IgnoreScope {
  const own = hasRules ? readIgnoreRules(directory) : undefined;
  return own === undefined ? parent : [own, ...parent];
}

/**
 * The rules of the folders above `directory`, up to the top of its git repository. Empty where they hide everything in `directory`:
 * then it was named on purpose, and a folder that is named on purpose is searched.
 */
export function parentScope(directory: string): IgnoreScope {
  const scope: IgnoreRules[] = [];
  for (let below = directory; !existsSync(`${below}/.git`); below = dirname(below)) {
    const folder = dirname(below);
    if (folder === below) break;
    const rules = readIgnoreRules(folder);
    if (rules !== undefined) scope.push(rules);
  }
  return scope.length === 0 || hidesAll(scope, directory) ? [] : scope;
}

/** True when the folder itself, one above it, or any child it could have is hidden. */
function hidesAll(scope: IgnoreScope, directory: string): boolean {
  const child = `${directory}/\u{10fffd}`;
  return isHiddenBelow(scope, child, true) && isHiddenBelow(scope, child, false);
}

function isHiddenBelow(scope: IgnoreScope, path: string, isDirectory: boolean): boolean {
  for (const rules of scope) {
    const verdict = rules.decideWithParents(below(rules, path), isDirectory);
    if (verdict !== 'unknown') return verdict === 'ignored';
  }
  return false;
}

function below(rules: IgnoreRules, path: string): string {
  return path.slice(rules.directory.endsWith('/') ? rules.directory.length : rules.directory.length + 1);
}
