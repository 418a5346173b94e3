import { splitLines } from '../diff/by-lines.js';
import { endOf, membersOf, valueAt } from './json-nodes.js';
import type { Notebook, NotebookCell } from './read.js';

/** The source of a cell as it is stored: one string, or a list of lines that keep their breaks. */
export interface CellSource {
  readonly form: 'string' | 'lines';
  readonly text: string;
}

/** The source of a cell; undefined if the source is not text. */
export function readSource({ node }: NotebookCell): CellSource | undefined {
  const source = valueAt(node, 'source');
  if (source?.type === 'string') return { form: 'string', text: String(source.value) };
  const items = source?.type === 'array' ? (source.children ?? []) : undefined;
  if (items === undefined || items.some(({ type }) => type !== 'string')) return undefined;
  return { form: 'lines', text: items.map(({ value }) => String(value)).join('') };
}

/** Prints a source as JSON. */
export function writeSource(notebook: Notebook, { form, text }: CellSource): string {
  if (form === 'string') return jsonString(notebook, text);
  const lines = splitLines(text).map((line) => jsonString(notebook, line));
  return `[${printed(lines, layoutAt(notebook, cellDepth + 2))}]`;
}

/** A text with the line ends of `sample`, unless these are mixed. */
export function withLineEndsOf(sample: string, text: string): string {
  const breaks = sample.match(/\r?\n/g) ?? [];
  const windows = breaks.filter((each) => each === '\r\n').length;
  if (windows === 0) return text.replaceAll('\r\n', '\n');
  return windows === breaks.length ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}

/** A string in JSON, with characters beyond ASCII as escapes if the notebook escapes them. */
function jsonString({ isEscaped }: Notebook, text: string): string {
  const json = JSON.stringify(text);
  if (!isEscaped) return json;
  return json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The depth of the cells in a notebook: they are in a list in the root object. */
export const cellDepth = 2;

/**
 * The white space of lists and objects at a depth, in the style of the first two members of the notebook: `open` after
 * the opening bracket, `between` two entries (with the comma), `close` before the closing bracket, and `colon` between
 * name and value.
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

/** Prints the entries of a list or object without the brackets. */
export function printed(entries: readonly string[], { open, between, close }: ReturnType<typeof layoutAt>): string {
  return entries.length === 0 ? '' : open + entries.join(between) + close;
}
