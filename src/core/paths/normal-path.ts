/** A path without doubled slashes, `.` segments and `..` steps. */
export function normalPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return (path.startsWith('/') ? '/' : '') + kept.join('/');
}
