import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { globMatcher } from '../../core/paths/glob-matcher.js';
import { isInside } from '../../core/paths/is-inside.js';
import { plainForm } from '../../core/text/look-alikes.js';
import { builtinName, builtinTool } from '../../core/tool-names.js';
import { parseRule } from './rule.js';

/** Matches absolute canonical paths. */
export type PathMatcher = (path: string) => boolean;

/**
 * Compiles the glob of a path rule: `~/` starts at the home folder, `//` and `/` at the root of the disk, anything else
 * at `root`. Dot files match like others; a pattern that ends in `/` covers everything below. `exact` is for allow
 * rules. `folded` is for deny and ask rules: letter case and the form of quotes, spaces and accents are ignored, a
 * folder includes everything below it, and a pattern that starts with a segment of two stars matches outside `root`
 * too.
 */
export function compilePathPattern(pattern: string, root: string, letterCase: 'exact' | 'folded'): PathMatcher {
  const glob = absoluteGlob(pattern, root, letterCase);
  const options = { dot: true, nonegate: true, nocase: letterCase === 'folded' };
  if (letterCase === 'exact') return globMatcher(glob, options);
  const matches = globMatcher([glob, `${glob.replace(/\/$/, '')}/**`], options);
  return (path) => matches(plainForm(path));
}

/** The glob of a path rule as an absolute glob. */
export function absoluteGlob(pattern: string, root: string, letterCase: 'exact' | 'folded'): string {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  // A deny or ask rule for any folder also applies in the other roots.
  const isAnywhere = letterCase === 'folded' && (whole === '**' || whole.startsWith('**/'));
  const glob = isAnywhere ? `/${whole}` : absolute(whole, root);
  return letterCase === 'folded' ? plainForm(glob) : glob;
}

function absolute(pattern: string, root: string): string {
  if (pattern.startsWith('~/')) return join(homedir(), pattern.slice(2));
  if (pattern.startsWith('//')) return pattern.slice(1);
  if (isAbsolute(pattern)) return pattern;
  return join(escapeGlob(root), pattern);
}

/** Escapes a path so that a glob matches it literally. */
export function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|]/g, '\\$&');
}

/** A message for a deny or ask rule whose path means other files than it seems to, with what to write. */
export function pathMistake(text: string, roots: readonly string[]): string | undefined {
  const { tool, pattern = '' } = parseRule(text);
  const { on } = builtinTool(builtinName(tool) ?? '')?.acts ?? {};
  if (on !== 'read' && on !== 'edit') return undefined;
  if (pattern.startsWith('!'))
    return `A rule has no exceptions. Write ${tool}(./${pattern}) for a file with this name.`;
  if (/^[^{}[\]()\\]*,/.test(pattern))
    return `This path has a comma, which separates nothing. Write ${tool}({${pattern.replaceAll(/\s*,\s*/g, ',')}}).`;
  // Two slashes mean the root of the disk on purpose.
  if (!/^\/(?!\/)/.test(pattern) || roots.length === 0) return undefined;
  const [start = ''] = pattern.toLowerCase().split(/[^/]*[*?[\]{}()\\]/, 1);
  const folder = start.replace(/(?<=.)\/$/, '');
  const folders = roots.map((root) => root.toLowerCase());
  if (isInside(folder, folders) || folders.some((root) => isInside(root, [folder]))) return undefined;
  const outside = 'This path begins at the top of the disk and lies in no root.';
  return `${outside} Write ${tool}(${pattern.slice(1)}) for the workspace, or ${tool}(/${pattern}) for the disk.`;
}
