/** Removes the root from a path below it, or from a line that begins with such a path. */
export function withoutRoot(root: string): (text: string) => string {
  const start = root.endsWith('/') || root.endsWith('\\') ? root.length : root.length + 1;
  return (text) => (text.startsWith(root) && /[\\/]/.test(text.charAt(start - 1)) ? text.slice(start) : text);
}
