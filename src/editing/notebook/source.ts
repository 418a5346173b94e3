import { splitLines } from '../diff/line-diff.js';
import { valueAt, writtenOf } from './json-text.js';
import { type Layout, layoutOf, printed } from './layout.js';
import type { Notebook, NotebookCell } from './read.js';

/** The source of a cell as it is stored: one string, or a list of lines that keep their breaks. */
export interface CellSource {
  readonly form: 'string' | 'lines';
  readonly text: string;
  /** How the list is laid out; undefined for a string and for an empty list. */
  readonly layout: Layout | undefined;
  /** Each line as it is written in the list. */
  readonly written: ReadonlyMap<string, string>;
}

/** The source of a cell; undefined if it has no text as source. */
export function readSource(notebook: Notebook, { node }: NotebookCell): CellSource | undefined {
  const source = valueAt(node, 'source');
  if (source?.type === 'string')
    return { form: 'string', text: String(source.value), layout: undefined, written: new Map() };
  const items = source?.type === 'array' ? (source.children ?? []) : undefined;
  if (items === undefined || items.some(({ type }) => type !== 'string')) return undefined;
  const written = new Map(items.map((item) => [String(item.value), writtenOf(notebook.text, item)]));
  const layout = source && layoutOf(notebook, source);
  return { form: 'lines', text: items.map(({ value }) => String(value)).join(''), layout, written };
}

/** A source in JSON, in the form and layout of `like`; unchanged lines keep their JSON form. */
export function writeSource(text: string, like: CellSource | undefined, lines: Layout, isEscaped: boolean): string {
  if (like?.form === 'string') return jsonString(text, isEscaped);
  const written = splitLines(text).map((line) => like?.written.get(line) ?? jsonString(line, isEscaped));
  return `[${printed(written, like?.layout ?? lines)}]`;
}

/**
 * A text with the line ends of `sample`: CRLF if all its lines have it, LF if none has CRLF, else unchanged.
 */
export function withLineEndsOf(sample: string, text: string): string {
  const breaks = sample.match(/\r?\n/g) ?? [];
  const windows = breaks.filter((each) => each === '\r\n').length;
  if (windows === 0) return text.replaceAll('\r\n', '\n');
  return windows === breaks.length ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}

/** A string in JSON. `isEscaped` writes characters beyond ASCII as escapes. */
function jsonString(text: string, isEscaped: boolean): string {
  const json = JSON.stringify(text);
  if (!isEscaped) return json;
  return json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
