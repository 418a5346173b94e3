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
