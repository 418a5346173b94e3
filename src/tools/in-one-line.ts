/** A path as it is listed: one with a line break in it is quoted, or it would look like two. */
export function inOneLine(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path;
}
