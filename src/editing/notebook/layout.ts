import { endOf, membersOf } from './json-text.js';
import type { Notebook } from './read.js';

/** The depth of the cells in a notebook: they are in a list in the root object. */
export const cellDepth = 2;

/**
 * The white space of lists and objects at a depth, as the first two members of the notebook are laid out: after the
 * opening bracket, between two entries (with the comma), before the closing bracket, and between name and value.
 */
export function layoutAt({ text, root }: Notebook, depth: number) {
  const [first, second] = membersOf(root);
  const [name, value] = first?.children ?? [];
  const between = first && second ? text.slice(endOf(first), second.offset) : ', ';
  const colon = name && value ? text.slice(endOf(name), value.offset) : ': ';
  const [, lineBreak, indent = ''] = /^,(\r?\n)([ \t]*)$/.exec(between) ?? [];
  if (lineBreak === undefined) return { open: '', between, close: '', colon };
  const lineAt = (level: number) => lineBreak + indent.repeat(level);
  return { open: lineAt(depth), between: `,${lineAt(depth)}`, close: lineAt(depth - 1), colon };
}

/** Entries of a list or object between its brackets. */
export function printed(entries: readonly string[], { open, between, close }: ReturnType<typeof layoutAt>): string {
  return entries.length === 0 ? '' : open + entries.join(between) + close;
}
