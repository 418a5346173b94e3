import { movedNotes, type NotebookChange, typeOf } from './change.js';
import type { Notebook, NotebookCell } from './notebook.js';
import { readSource } from './source.js';

/** Takes a cell out of a notebook, with the comma and white space that set it apart. */
export async function deleteCell(notebook: Notebook, cell: NotebookCell): Promise<NotebookChange> {
  const { cells, list } = notebook;
  const [before, after] = [cells[cell.index - 1], cells[cell.index + 1]];
  const start = after !== undefined ? cell.node.start : (before?.node.end ?? list.start + 1);
  const end = after !== undefined ? after.node.start : before !== undefined ? cell.node.end : list.end - 1;
  return {
    replacements: [{ start, end, bytes: Buffer.alloc(0) }],
    cell: cell.name,
    type: typeOf(notebook, cell),
    oldSource: (await readSource(notebook, cell))?.text,
    newSource: '',
    notes: movedNotes(cells, cell.index + 1, -1),
  };
}
