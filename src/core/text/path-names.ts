/** Whether a canonical path is one of the canonical folders or below one, compared by whole segments. */
export function isInside(
  path: string,
  folders: readonly string[],
  platform: NodeJS.Platform = process.platform,
): boolean {
  const separator = platform === 'win32' ? '\\' : '/';
  const form = (name: string) => (platform === 'win32' ? name.toLowerCase() : name);
  const inner = form(path);
  return folders.some((folder) => {
    const outer = form(folder);
    return inner === outer || inner.startsWith(outer.endsWith(separator) ? outer : outer + separator);
  });
}

/** A path without doubled slashes, a slash at the end, `.` segments and resolvable `..` segments. */
export function normalPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    // The parent of the root is the root.
    if (segment === '..' && (kept.length === 0 ? path.startsWith('/') : kept.at(-1) !== '..')) kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return (path.startsWith('/') ? '/' : '') + kept.join('/');
}

const maxNameChars = 40;

/** The path of a new file in `generated/` below a root, named after the beginning of `words`. */
export function generatedFile(root: string, words: string, fallback: string, extension: string): string {
  const plain = words.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const name = plain
    .match(/[a-z0-9]+/g)
    ?.join('-')
    .slice(0, maxNameChars)
    .replace(/-$/, '');
  return `${root}/generated/${name ?? fallback}.${extension}`;
}

/** Compares by path, in UTF-16 code units. */
export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}
