import { isUtf8 } from 'node:buffer';
import { ToolError } from '../../core/error.js';
import { type JsonNode, jsonError, jsonTree, memberOf, valueAt } from './json-nodes.js';
import { cellName } from './view.js';

/** A Jupyter notebook (nbformat 4.0 to 4.5), with the places of its cells in the file. */
export interface Notebook {
  readonly path: string;
  /** Without a byte order mark. */
  readonly text: string;
  readonly root: JsonNode;
  readonly list: JsonNode;
  readonly cells: readonly NotebookCell[];
  /** 0 to 5. From 5 on, cells have ids. */
  readonly minor: number;
  /** The programming language; `python` if the notebook names none. */
  readonly language: string;
  /** Whether the file writes every character beyond ASCII as an escape. */
  readonly isEscaped: boolean;
}

export interface NotebookCell {
  readonly index: number;
  /** The id of the cell, or `cell-` and its index; not always unique. */
  readonly name: string;
  readonly hasId: boolean;
  readonly node: JsonNode;
}

const newestMinor = 5;
const byteOrderMark = '\ufeff';
/** An escape of a character beyond ASCII, whose backslash is not escaped itself. */
const letterEscape = /(?<!\\)(?:\\\\)*\\u(?!00[0-7])/i;

/** The byte order mark and the text of a notebook. Throws `unsupported_file` for bytes that are not UTF-8. */
export function notebookText(bytes: Buffer, path: string): readonly [mark: string, text: string] {
  if (!isUtf8(bytes)) throw unsupported(path, 'a notebook is stored in UTF-8, and this file is not');
  const text = bytes.toString('utf8');
  return text.startsWith(byteOrderMark) ? [byteOrderMark, text.slice(1)] : ['', text];
}

/** Finds the cells of a notebook. Throws `unsupported_file` for invalid JSON and for other formats. */
export function readNotebook(text: string, path: string): Notebook {
  const error = jsonError(text);
  if (error !== undefined)
    throw unsupported(path, `it is not valid JSON (line ${error.line}, column ${error.column}: ${error.message})`);
  const root = jsonTree(text);
  if (root?.type !== 'object') throw unsupported(path, 'its JSON is not an object');
  const minor = minorOf(root, path);
  const list = valueAt(root, 'cells');
  if (list?.type !== 'array') throw unsupported(path, 'it has no list of cells');
  const cells = (list.children ?? []).map((node, index) => readCell(node, index, path));
  const isEscaped = /^[\0-\x7f]*$/.test(text) && letterEscape.test(text);
  return { path, text, root, list, cells, minor, language: languageOf(root), isEscaped };
}

/** The error for a notebook that cannot be changed; `why` is part of its message. */
export function unsupported(path: string, why: string): ToolError {
  return new ToolError(
    'unsupported_file',
    `Nothing was changed in ${path}: ${why}. Read it, then repair it with Edit or Write.`,
  );
}

function readCell(node: JsonNode, index: number, path: string): NotebookCell {
  if (node.type !== 'object') throw unsupported(path, `cell-${index} is not an object`);
  const id: unknown = valueAt(node, 'id')?.value;
  return { index, name: cellName(id, index), hasId: typeof id === 'string' && id !== '', node };
}

// A missing minor number means 0, as it does for Jupyter.
function minorOf(root: JsonNode, path: string): number {
  const major: unknown = valueAt(root, 'nbformat')?.value;
  const minor: unknown = memberOf(root, 'nbformat_minor') === undefined ? 0 : valueAt(root, 'nbformat_minor')?.value;
  if (typeof major !== 'number') throw unsupported(path, 'it is not a notebook: it has no nbformat number');
  if (major === 4 && typeof minor === 'number' && Number.isInteger(minor) && minor >= 0 && minor <= newestMinor)
    return minor;
  const format = `${major}.${typeof minor === 'number' ? minor : '?'}`;
  throw new ToolError(
    'unsupported_file',
    `The notebook has format ${format}, and NotebookEdit changes 4.0 to 4.${newestMinor} only: ${path}. Nothing ` +
      'was changed. Convert it first, for instance with jupyter nbconvert --to notebook through Bash.',
  );
}

function languageOf(root: JsonNode): string {
  const metadata = valueAt(root, 'metadata');
  const names: unknown[] = [
    valueAt(metadata, 'language_info', 'name')?.value,
    valueAt(metadata, 'kernelspec', 'language')?.value,
  ];
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? 'python';
}
