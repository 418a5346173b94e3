import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { plainForm } from '../../text/edit/look-alikes.js';
import { globMatcher } from '../../text/glob-matcher.js';

/** Matches absolute canonical paths. */
export type PathMatcher = (path: string) => boolean;

/**
 * Compiles the glob of a path rule: `~/` starts at home, `//` and `/` at the top of the disk, anything else at `root`.
 * Dot files are matched like others; a pattern that ends in `/` means everything below. `exact` is for allow rules.
 * `folded` is for deny and ask rules: letter case and the kind of quotes, blanks and accents do not count, what is
 * below a folder that is meant is meant too, and a pattern that begins with a segment of two stars is not bound to the
 * root.
 */
export function compilePathPattern(pattern: string, root: string, letterCase: 'exact' | 'folded'): PathMatcher {
  const glob = absoluteGlob(pattern, root, letterCase);
  const options = { dot: true, nonegate: true, nocase: letterCase === 'folded' };
  if (letterCase === 'exact') return globMatcher(glob, options);
  const matches = globMatcher([glob, `${glob.replace(/\/$/, '')}/**`], options);
  return (path) => matches(plainForm(path));
}

/** The glob of a path rule from the top of the disk. */
export function absoluteGlob(pattern: string, root: string, letterCase: 'exact' | 'folded'): string {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  // What must not be touched "anywhere" must not be touched in the other roots either.
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

/** A root may hold characters that mean something in a glob. */
function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|]/g, '\\$&');
}
