import { movedNotes, type NewCellType, type NotebookChange } from './change.js';
import { type CellLayout, cellLayout, listLayout } from './layout.js';
import type { Notebook, NotebookCell } from './notebook.js';
import { type CellSource, jsonString, readSource, withLineEndsOf, writeSource } from './source.js';

/** A cell that is to come. */
export interface NewCell {
  readonly type: NewCellType;
  readonly source: string;
}

const firstMinorWithIds = 5;
const listOfLines: Omit<CellSource, 'text'> = { form: 'lines', layout: undefined, written: new Map() };

/**
 * Puts a new cell behind another, or at the start, written the way of its neighbours. It gets an id where the format
 * has ids.
 */
export async function insertCell(
  notebook: Notebook,
  after: NotebookCell | undefined,
  { type, source: newSource }: NewCell,
  createId: () => string,
): Promise<NotebookChange> {
  const { cells, isEscaped } = notebook;
  const sample = sampleFor(notebook, after);
  const layout = cellLayout(notebook, sample?.node);
  const like = sample && (await readSource(notebook, sample));
  const source = withLineEndsOf(like?.text ?? '', newSource);
  const index = after === undefined ? 0 : after.index + 1;
  const id = notebook.minor >= firstMinorWithIds ? freeId(cells, createId) : undefined;
  const fields: readonly (readonly [name: string, value: string | undefined])[] = [
    ['cell_type', JSON.stringify(type)],
    ['execution_count', type === 'code' ? 'null' : undefined],
    ['id', id && jsonString(id, false)],
    ['metadata', '{}'],
    ['outputs', type === 'code' ? '[]' : undefined],
    ['source', writeSource(source, { ...(like ?? listOfLines), written: new Map() }, layout.lines, isEscaped)],
  ];
  return {
    replacements: [placed(notebook, after, print(fields, layout))],
    cell: id ?? `cell-${index}`,
    type,
    oldSource: undefined,
    newSource: source,
    notes: movedNotes(cells, index, 1),
  };
}

// The cell before or behind shows how cells are written; one without entries shows nothing.
function sampleFor({ cells }: Notebook, after: NotebookCell | undefined): NotebookCell | undefined {
  const showsLayout = (cell: NotebookCell | undefined) => (cell?.node.members.length ?? 0) > 1;
  return [after, ...cells].find(showsLayout);
}

function freeId(cells: readonly NotebookCell[], createId: () => string): string {
  const taken = new Set(cells.map(({ name }) => name));
  for (;;) {
    const id = createId();
    if (!taken.has(id)) return id;
  }
}

function print(
  fields: readonly (readonly [name: string, value: string | undefined])[],
  { object, colon }: CellLayout,
): string {
  const members = fields.flatMap(([name, value]) => (value === undefined ? [] : [`"${name}"${colon}${value}`]));
  return `{${object.open}${members.join(object.between)}${object.close}}`;
}

function placed(notebook: Notebook, after: NotebookCell | undefined, cell: string) {
  const { list, cells } = notebook;
  const [first] = cells;
  const { open, between, close } = listLayout(notebook);
  if (first === undefined) return { start: list.start + 1, end: list.end - 1, bytes: Buffer.from(open + cell + close) };
  if (after === undefined)
    return { start: first.node.start, end: first.node.start, bytes: Buffer.from(cell + between) };
  return { start: after.node.end, end: after.node.end, bytes: Buffer.from(between + cell) };
}
