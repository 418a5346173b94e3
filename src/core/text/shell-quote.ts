/**
 * Quotes text as one word of a POSIX shell: single quotes around it, each single quote inside as `'\''`. Throws a
 * TypeError for a NUL character.
 */
export function shellQuote(text: string): string {
  if (text.includes('\0')) throw new TypeError('A word of a command line cannot hold a NUL character');
  return `'${text.replaceAll("'", "'\\''")}'`;
}
