import { createRequire } from 'node:module';
import type picomatch from 'picomatch';
import type { EntryFilter } from './search-walk.js';

const require = createRequire(import.meta.url);

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
  const make: typeof picomatch = require('picomatch');
  const onlyDirectories = glob.endsWith('/');
  const body = onlyDirectories ? glob.slice(0, -1) : glob;
  const isAnchored = body.includes('/');
  const pattern = body.startsWith('/') ? body.slice(1) : body;
  const matches = make(pattern, { dot: true, noextglob: true, nonegate: true, strictSlashes: true });
  return (relativePath, name, isDirectory) => (isDirectory || !onlyDirectories) && matches(isAnchored ? relativePath : name);
}
