import { isAscii, isUtf8 } from 'node:buffer';
import { ToolError } from '../../core/error.js';
import type { YieldToLoop } from '../match/line-counter.js';
import { cellName } from './cell-name.js';
import { type JsonNode, memberOf, valueAt } from './json-node.js';
import { type JsonError, outlineJson, type WantsChildren } from './json-outline.js';

/** A Jupyter notebook (nbformat 4.0 to 4.5) as it stands in its file. */
export interface Notebook {
  readonly path: string;
  readonly bytes: Buffer;
  readonly root: JsonNode;
  /** The list of cells. */
  readonly list: JsonNode;
  readonly cells: readonly NotebookCell[];
  /** 0 to 5. From 5 on, cells have ids. */
  readonly minor: number;
  /** The programming language, `python` where the notebook does not say. */
  readonly language: string;
  /** Whether the file writes every character beyond ASCII as an escape. */
  readonly isEscaped: boolean;
}

/** A cell and its place in the file. */
export interface NotebookCell {
  readonly index: number;
  /** Its id, or `cell-` and its index; not always unique. */
  readonly name: string;
  readonly hasId: boolean;
  readonly node: JsonNode;
}

const newestMinor = 5;
const maxMetadataBytes = 4_000_000;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Finds the cells of a notebook. Throws `unsupported_file` for what is no JSON in UTF-8, no notebook, or one of another
 * format.
 */
export async function readNotebook(bytes: Buffer, path: string, yieldToLoop: YieldToLoop): Promise<Notebook> {
  if (!isUtf8(bytes)) throw unsupported(path, 'a notebook is stored in UTF-8, and this file is not');
  const start = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  const outline = await outlineJson(bytes, { start, end: bytes.length }, wantsCells, yieldToLoop);
  if ('message' in outline) throw unsupported(path, notJson(bytes, outline));
  const { root } = outline;
  if (root.kind !== 'object') throw unsupported(path, 'its JSON is no object');
  const minor = minorOf(bytes, root, path);
  const list = memberOf(root, 'cells')?.value;
  if (list?.kind !== 'array') throw unsupported(path, 'it has no list of cells');
  const cells = list.items.map((node, index) => readCell(bytes, node, index, path));
  const isEscaped = outline.escapesLetters && isAscii(bytes.subarray(start));
  return { path, bytes, root, list, cells, minor, language: languageOf(bytes, root), isEscaped };
}

/** The error for a notebook that cannot be changed; it says why. */
export function unsupported(path: string, why: string): ToolError {
  return new ToolError(
    'unsupported_file',
    `Nothing was changed in ${path}: ${why}. Read it, then repair it with Edit or Write.`,
  );
}

const wantsCells: WantsChildren = (depth, topName) => depth === 0 || (topName === 'cells' && depth <= 2);

function readCell(bytes: Buffer, node: JsonNode, index: number, path: string): NotebookCell {
  if (node.kind !== 'object') throw unsupported(path, `cell-${index} is no object`);
  const member = memberOf(node, 'id');
  const id = member?.value.kind === 'scalar' ? valueAt(bytes, member.value) : undefined;
  return { index, name: cellName(id, index), hasId: typeof id === 'string' && id !== '', node };
}

// A missing minor number means 0, as it does for Jupyter.
function minorOf(bytes: Buffer, root: JsonNode, path: string): number {
  const major = scalar(bytes, root, 'nbformat');
  const minor = scalar(bytes, root, 'nbformat_minor') ?? 0;
  if (typeof major !== 'number') throw unsupported(path, 'it is no notebook, it has no nbformat number');
  if (major === 4 && typeof minor === 'number' && Number.isInteger(minor) && minor >= 0 && minor <= newestMinor)
    return minor;
  const format = `${major}.${typeof minor === 'number' ? minor : '?'}`;
  throw new ToolError(
    'unsupported_file',
    `The notebook has format ${format}, and NotebookEdit changes 4.0 to 4.${newestMinor} only: ${path}. Nothing ` +
      'was changed. Convert it first, for instance with jupyter nbconvert --to notebook through Bash.',
  );
}

function scalar(bytes: Buffer, node: JsonNode, name: string): unknown {
  const member = memberOf(node, name);
  if (member === undefined) return undefined;
  return member.value.kind === 'scalar' ? valueAt(bytes, member.value) : null;
}

function languageOf(bytes: Buffer, root: JsonNode): string {
  const node = memberOf(root, 'metadata')?.value;
  if (node?.kind !== 'object' || node.end - node.start > maxMetadataBytes) return 'python';
  const metadata = valueAt(bytes, node);
  const names = [part(part(metadata, 'language_info'), 'name'), part(part(metadata, 'kernelspec'), 'language')];
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? 'python';
}

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function notJson(bytes: Buffer, { position, message }: JsonError): string {
  const before = bytes.subarray(0, position);
  const lineStart = before.lastIndexOf(0x0a) + 1;
  let line = 1;
  for (let at = before.indexOf(0x0a); at >= 0; at = before.indexOf(0x0a, at + 1)) line++;
  const column = before.toString('utf8', lineStart).length + 1;
  return `it is no valid JSON (line ${line}, column ${column}: ${message})`;
}
