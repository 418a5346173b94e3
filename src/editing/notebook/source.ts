import { splitLines } from '../diff/line-diff.js';
import { memberOf, rawText, valueAt } from './json-node.js';
import { outlineJson } from './json-outline.js';
import { inlineOf, type Layout, layoutOf } from './layout.js';
import type { Notebook, NotebookCell } from './notebook.js';

/** The source of a cell as it is stored: one string, or a list of lines that keep their breaks. */
export interface CellSource {
  readonly form: 'string' | 'lines';
  readonly text: string;
  /** How the list is laid out; undefined for a string and for an empty list. */
  readonly layout: Layout | undefined;
  /** Each line as it is written in the list. */
  readonly written: ReadonlyMap<string, string>;
}

/** The source of a cell; undefined when it has none that is text. */
export async function readSource(notebook: Notebook, { node }: NotebookCell): Promise<CellSource | undefined> {
  const { bytes } = notebook;
  const span = memberOf(node, 'source')?.value;
  if (span === undefined) return undefined;
  if (span.kind !== 'array') {
    const text = valueAt(bytes, span);
    return typeof text === 'string' ? { form: 'string', text, layout: undefined, written: new Map() } : undefined;
  }
  const outline = await outlineJson(
    bytes,
    span,
    (depth) => depth === 0,
    async () => {},
  );
  if ('message' in outline) return undefined;
  const written = new Map<string, string>();
  const lines: string[] = [];
  for (const item of outline.root.items) {
    const line = item.kind === 'scalar' ? valueAt(bytes, item) : undefined;
    if (typeof line !== 'string') return undefined;
    lines.push(line);
    written.set(line, rawText(bytes, item.start, item.end));
  }
  return { form: 'lines', text: lines.join(''), layout: layoutOf(bytes, outline.root, inlineOf(notebook)), written };
}

/** A source in JSON, in the form and layout of `like`; lines that were there before are written as they were. */
export function writeSource(text: string, like: Omit<CellSource, 'text'>, lines: Layout, isEscaped: boolean): string {
  if (like.form === 'string') return jsonString(text, isEscaped);
  const { open, between, close } = like.layout ?? lines;
  const written = splitLines(text).map((line) => like.written.get(line) ?? jsonString(line, isEscaped));
  return written.length === 0 ? '[]' : `[${open}${written.join(between)}${close}]`;
}

/**
 * A text whose lines end as those of `sample` do: with CRLF where all of them do, with LF where none does, else as they
 * are.
 */
export function withLineEndsOf(sample: string, text: string): string {
  const breaks = sample.match(/\r?\n/g) ?? [];
  const windows = breaks.filter((each) => each === '\r\n').length;
  if (windows === 0) return text.replaceAll('\r\n', '\n');
  return windows === breaks.length ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}

/** A string in JSON. `isEscaped` writes characters beyond ASCII as escapes. */
export function jsonString(text: string, isEscaped: boolean): string {
  const json = JSON.stringify(text);
  if (!isEscaped) return json;
  return json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
