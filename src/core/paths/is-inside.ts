/** Whether a path is one of the folders or below one, compared by whole segments. All of them canonical. */
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
