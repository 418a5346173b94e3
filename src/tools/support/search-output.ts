/** A path on one line: a path with a line break becomes a JSON string. */
export function inOneLine(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path;
}

/** The notice about paths that a search could not read, with possible reasons; empty if there are no such paths. */
export function unreadableNotice(
  count: number,
  why = 'could not be read: no permission, a system error, or a name that is not UTF-8',
): readonly string[] {
  return count === 0 ? [] : [`[${count} ${count === 1 ? 'path' : 'paths'} ${why}]`];
}

/** The search tools' part of the system prompt. */
export const searchAdvice = 'Find files with Glob and text with Grep, not with shell commands.';
