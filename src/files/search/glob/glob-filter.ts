import type { EntryFilter } from '../walk/walk.js';
import { globTest } from './expression.js';

/**
 * Returns a filter that treats a glob as `rg --glob` does (ripgrep guide, "Manual filtering: globs"): gitignore syntax
 * plus braces, relative to the searched folder. Without `!`, files that match are included even if they are ignored,
 * and all other files are excluded. With `!`, files that match are excluded.
 */
export async function globOverride(glob: string, directory: string): Promise<EntryFilter> {
  const line = glob.endsWith('\\ ') ? glob : glob.trimEnd();
  // As in an ignore file, an empty line or a comment has no effect.
  if (line === '' || line.startsWith('#')) return () => 'unknown';
  const negated = line.startsWith('!');
  const matches = await gitignoreGlob(negated ? line.slice(1) : line);
  const start = directory.endsWith('/') ? directory.length : directory.length + 1;
  return (path, name, isDirectory) => {
    if (matches(path.slice(start), name, isDirectory)) return negated ? 'out' : 'in';
    return negated || isDirectory ? 'unknown' : 'out';
  };
}

async function gitignoreGlob(
  glob: string,
): Promise<(relativePath: string, name: string, isDirectory: boolean) => boolean> {
  const onlyDirectories = glob.endsWith('/');
  // The slash may be escaped.
  const body = onlyDirectories ? glob.replace(/\\?\/$/, '') : glob;
  const isAnchored = body.includes('/');
  const inside = body.endsWith('/**') ? `${body}/*` : body;
  const matches = await globTest(inside.startsWith('/') ? inside.slice(1) : inside);
  return (relativePath, name, isDirectory) =>
    (isDirectory || !onlyDirectories) && matches(isAnchored ? relativePath : name);
}
