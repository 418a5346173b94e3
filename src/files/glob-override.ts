import { globExpression } from './glob-expression.js';
import type { EntryFilter } from './search-walk.js';

/**
 * The filter that `rg --glob` makes of a glob (ripgrep guide, "Manual filtering: globs"): gitignore syntax with braces, from the searched folder.
 * What it names is in, ignored or not; without `!` all other files are out; with `!` it names what is out.
 */
export function globOverride(glob: string, directory: string): EntryFilter {
  const negated = glob.startsWith('!');
  const matches = gitignoreGlob(negated ? glob.slice(1) : glob);
  const start = directory.endsWith('/') ? directory.length : directory.length + 1;
  return (path, name, isDirectory) => {
    if (matches(path.slice(start), name, isDirectory)) return negated ? 'out' : 'in';
    return negated || isDirectory ? 'unknown' : 'out';
  };
}

function gitignoreGlob(glob: string): (relativePath: string, name: string, isDirectory: boolean) => boolean {
  const onlyDirectories = glob.endsWith('/');
  const body = onlyDirectories ? glob.slice(0, -1) : glob;
  const isAnchored = body.includes('/');
  const inside = body.endsWith('/**') ? `${body}/*` : body;
  const expression = globExpression(inside.startsWith('/') ? inside.slice(1) : inside);
  return (relativePath, name, isDirectory) => (isDirectory || !onlyDirectories) && expression.test(isAnchored ? relativePath : name);
}
