import { endOf, type JsonNode } from './json-text.js';
import type { Notebook } from './read.js';

/** The white space in a list or an object of a JSON text. */
export interface Layout {
  /** After the opening bracket. */
  readonly open: string;
  /** Between two entries, with the comma. */
  readonly between: string;
  /** Before the closing bracket. */
  readonly close: string;
}

/** The layout of the cells of a notebook. */
export interface CellLayout {
  readonly object: Layout;
  /** Between name and value. */
  readonly colon: string;
  /** The list of source lines. */
  readonly lines: Layout;
}

/** The layout of a new cell: that of `sample` if given, or else that of the notebook. */
export function cellLayout(notebook: Notebook, sample: JsonNode | undefined): CellLayout {
  const { text, root } = notebook;
  const object = (sample && layoutOf(notebook, sample)) ?? innerLayout(listLayout(notebook));
  const [name, value] = (sample ?? root).children?.[0]?.children ?? [];
  const colon = name === undefined || value === undefined ? ': ' : text.slice(endOf(name), value.offset);
  return { object, colon, lines: innerLayout(object) };
}

/** The layout of the list of cells. */
export function listLayout(notebook: Notebook): Layout {
  const { text, root, list } = notebook;
  return (
    layoutOf(notebook, list) ?? innerLayout(writtenLayout(text, root, ', ') ?? { open: '', between: ', ', close: '' })
  );
}

/** The layout of an object or list; undefined for one that is empty. */
export function layoutOf(notebook: Notebook, node: JsonNode): Layout | undefined {
  return writtenLayout(notebook.text, node, inlineOf(notebook));
}

/** Entries of a list or object between its brackets. */
export function printed(entries: readonly string[], { open, between, close }: Layout): string {
  return entries.length === 0 ? '' : open + entries.join(between) + close;
}

/** `inline` is the separator for a single entry on one line. */
function writtenLayout(text: string, { offset, length, children = [] }: JsonNode, inline: string): Layout | undefined {
  const [first, second] = children;
  const last = children.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const open = text.slice(offset + 1, first.offset);
  const close = text.slice(endOf(last), offset + length - 1);
  const single = open.includes('\n') ? `,${open}` : inline;
  return { open, between: second === undefined ? single : text.slice(endOf(first), second.offset), close };
}

/** The separator of two entries on one line: as elsewhere in the notebook, or a comma and a space. */
function inlineOf({ text, root, cells }: Notebook): string {
  const written = [root, ...cells.slice(0, 1).map(({ node }) => node)].map(
    (node) => writtenLayout(text, node, ', ')?.between ?? ', ',
  );
  return written.find((between) => !between.includes('\n')) ?? ', ';
}

/** The layout of a list or object one level deeper. */
function innerLayout({ open, between, close }: Layout): Layout {
  if (!open.includes('\n')) return { open: '', between, close: '' };
  const [indent, outerIndent] = [indentOf(open), indentOf(close)];
  const unit = indent.startsWith(outerIndent) ? indent.slice(outerIndent.length) : indent;
  return { open: open + unit, between: `,${open}${unit}`, close: open };
}

function indentOf(space: string): string {
  return space.slice(space.lastIndexOf('\n') + 1);
}
