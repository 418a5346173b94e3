import type { Span } from '../match/exact.js';
import { type JsonMember, type JsonNode, rawText } from './json-node.js';
import type { Notebook } from './notebook.js';

/** The white space in a list or an object of a JSON text. */
export interface Layout {
  /** After the opening bracket. */
  readonly open: string;
  /** Between two entries, with the comma. */
  readonly between: string;
  /** Before the closing bracket. */
  readonly close: string;
}

/** How cells of a notebook are written. */
export interface CellLayout {
  readonly object: Layout;
  /** Between name and value. */
  readonly colon: string;
  /** The list of source lines. */
  readonly lines: Layout;
}

/**
 * The layout of an object or list that was outlined; undefined for one that is empty. `inline` stands between entries
 * on one line where there is but one.
 */
export function layoutOf(bytes: Buffer, node: JsonNode, inline: string): Layout | undefined {
  const entries = entriesOf(node);
  const [first, second] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const open = rawText(bytes, node.start + 1, first.start);
  const close = rawText(bytes, last.end, node.end - 1);
  const between =
    second === undefined ? (open.includes('\n') ? `,${open}` : inline) : rawText(bytes, first.end, second.start);
  return { open, between, close };
}

/** The layout of a list or object that stands in one of the layout `outer`, one level deeper. */
function innerLayout({ open, between, close }: Layout): Layout {
  if (!open.includes('\n')) return { open: '', between, close: '' };
  const [indent, outerIndent] = [indentOf(open), indentOf(close)];
  const unit = indent.startsWith(outerIndent) ? indent.slice(outerIndent.length) : indent;
  return { open: open + unit, between: `,${open}${unit}`, close: open };
}

/** How a cell is written that is like `sample`, or fits into the whole notebook where there is none. */
export function cellLayout(notebook: Notebook, sample: JsonNode | undefined): CellLayout {
  const { bytes, root } = notebook;
  const rootLayout = layoutOf(bytes, root, ', ') ?? { open: '', between: ', ', close: '' };
  const object = (sample && layoutOf(bytes, sample, inlineOf(notebook))) ?? innerLayout(innerLayout(rootLayout));
  return { object, colon: colonOf(bytes, (sample ?? root).members[0]), lines: innerLayout(object) };
}

/** The layout of the list of cells. */
export function listLayout(notebook: Notebook): Layout {
  const { bytes, root, list } = notebook;
  const rootLayout = layoutOf(bytes, root, ', ') ?? { open: '', between: ', ', close: '' };
  return layoutOf(bytes, list, inlineOf(notebook)) ?? innerLayout(rootLayout);
}

/** What stands between two entries on one line: the notebook's own way, or a comma and a space. */
export function inlineOf({ bytes, root, cells }: Notebook): string {
  const written = [root, ...cells.slice(0, 1).map(({ node }) => node)].map(
    (node) => layoutOf(bytes, node, ', ')?.between ?? ', ',
  );
  return written.find((between) => !between.includes('\n')) ?? ', ';
}

function entriesOf(node: JsonNode): readonly Span[] {
  if (node.kind === 'array') return node.items;
  return node.members.map(({ key, value }) => ({ start: key.start, end: value.end }));
}

function colonOf(bytes: Buffer, member: JsonMember | undefined): string {
  return member === undefined ? ': ' : rawText(bytes, member.key.end, member.value.start);
}

function indentOf(space: string): string {
  return space.slice(space.lastIndexOf('\n') + 1);
}
