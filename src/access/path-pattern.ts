import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Matches absolute canonical paths. */
export type PathMatcher = (path: string) => boolean;

/**
 * Compiles the glob of a path rule: `~/` starts at home, `//` and `/` at the top of the disk, anything else at `root`.
 * Dot files are matched like others; a pattern that ends in `/` means everything below.
 * `exact` compares letter case, as an allow rule must; a deny rule does not, since many disks do not either.
 */
export function compilePathPattern(pattern: string, root: string, letterCase: 'exact' | 'folded'): PathMatcher {
  const picomatch = createRequire(import.meta.url)('picomatch') as typeof import('picomatch');
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  return picomatch(absolute(whole, root), { dot: true, nonegate: true, nocase: letterCase === 'folded' });
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
