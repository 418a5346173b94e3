/** A path as it is listed: one with a line break in it is quoted, or it would look like two. */
export function inOneLine(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path;
}

/** Says how many paths a search had to leave out, and why that may be; nothing for none. */
export function unreadableNotice(
  count: number,
  why = 'could not be read: no permission, or a name that is not UTF-8',
): readonly string[] {
  return count === 0 ? [] : [`[${count} ${count === 1 ? 'path' : 'paths'} ${why}]`];
}

/** What the tools that search say for the system prompt. */
export const searchAdvice = 'Find files with Glob and text with Grep, not with shell commands.';
