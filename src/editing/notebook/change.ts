import type { Replacement } from '../splice/splice-text.js';
import { type JsonNode, memberOf, valueAt } from './json-node.js';
import { type Notebook, type NotebookCell, unsupported } from './notebook.js';

/** The types a cell can be asked to have. */
export type NewCellType = 'code' | 'markdown';

/** The types a cell can have. */
export type CellType = NewCellType | 'raw';

/** What changes in the file when one cell does. */
export interface NotebookChange {
  readonly replacements: readonly Replacement[];
  /** The name of the cell that was replaced, inserted or deleted. */
  readonly cell: string;
  /** Undefined for a cell of no known type, which can only be deleted. */
  readonly type: CellType | undefined;
  /** Undefined for a new cell, and for a deleted one that held no text. */
  readonly oldSource: string | undefined;
  readonly newSource: string;
  /** What else came of it, each a sentence without its full stop. */
  readonly notes: readonly string[];
}

/** The type of a cell; undefined where it is none that nbformat 4 knows. */
export function typeOf({ bytes }: Notebook, { node }: NotebookCell): CellType | undefined {
  const value = scalarOf(bytes, node, 'cell_type');
  return value === 'code' || value === 'markdown' || value === 'raw' ? value : undefined;
}

/** The same; throws `unsupported_file` for a type that is not known. */
export function knownTypeOf(notebook: Notebook, cell: NotebookCell): CellType {
  const type = typeOf(notebook, cell);
  if (type === undefined) throw unsupported(notebook.path, `cell ${cell.name} has no cell_type that notebooks know`);
  return type;
}

/** The value of a member that is neither list nor object; undefined where there is none. */
function scalarOf(bytes: Buffer, node: JsonNode, name: string): unknown {
  const value = memberOf(node, name)?.value;
  return value?.kind === 'scalar' ? valueAt(bytes, value) : undefined;
}

/** Tells that cells without ids got other names, when one before them came or went. */
export function movedNotes(cells: readonly NotebookCell[], from: number, by: 1 | -1): string[] {
  const moved = cells.slice(from).filter(({ hasId }) => !hasId);
  const [first] = moved;
  if (first === undefined) return [];
  const others = moved.length > 1 ? ', and so on' : '';
  return [`Cells behind it have other names now: cell-${first.index} is cell-${first.index + by}${others}`];
}
