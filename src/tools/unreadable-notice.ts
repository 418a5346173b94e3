/** Says how many paths a search had to leave out; nothing for none. */
export function unreadableNotice(count: number): readonly string[] {
  if (count === 0) return [];
  return [`[${count} ${count === 1 ? 'path' : 'paths'} could not be read: no permission, or a name that is not UTF-8]`];
}
