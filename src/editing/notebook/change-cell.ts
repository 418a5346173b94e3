import { ToolError } from '../../core/error.js';
import { cellDepth, layoutAt, printed, readSource, withLineEndsOf, writeSource } from './cell-source.js';
import { endOf, type JsonNode, memberOf, membersOf, nameOf, valueAt, writtenOf } from './json-nodes.js';
import { type Notebook, type NotebookCell, unsupported } from './read.js';

/** The cell types that a caller can request. */
export type NewCellType = 'code' | 'markdown';

export interface NotebookChange {
  readonly text: string;
  /** The name of the cell that was replaced, inserted or deleted. */
  readonly cell: string;
  /** Undefined for a cell of an unknown type, which can only be deleted. */
  readonly type: NewCellType | 'raw' | undefined;
  /** Undefined for a new cell, and for a deleted cell without text. */
  readonly oldSource: string | undefined;
  readonly newSource: string;
  /** Side effects, each a sentence without its full stop. */
  readonly notes: readonly string[];
}

const firstMinorWithIds = 5;
const unrun = { execution_count: 'null', outputs: '[]' };

/** Deletes a cell, with the comma and the white space beside it. */
export function deleteCell(notebook: Notebook, cell: NotebookCell): NotebookChange {
  const { cells, list } = notebook;
  const [before, after] = [cells[cell.index - 1]?.node, cells[cell.index + 1]?.node];
  const part =
    before !== undefined
      ? ([endOf(before), endOf(cell.node)] as const)
      : after !== undefined
        ? ([cell.node.offset, after.offset] as const)
        : innerPart(list);
  return {
    text: spliced(notebook.text, part, ''),
    cell: cell.name,
    type: typeOf(cell),
    oldSource: readSource(cell)?.text,
    newSource: '',
    notes: movedNotes(cells, cell.index + 1, -1),
  };
}

/**
 * Inserts a cell at the start or after another cell. Its source has the form and the line ends of the neighbouring
 * cell. From format 4.5 on, the cell gets an id.
 */
export function insertCell(
  notebook: Notebook,
  after: NotebookCell | undefined,
  { type, source: newSource }: { readonly type: NewCellType; readonly source: string },
  createId: () => string,
): NotebookChange {
  const { cells, list } = notebook;
  const [first] = cells;
  const beside = after ?? first;
  const like = beside && readSource(beside);
  const text = withLineEndsOf(like?.text ?? '', newSource);
  const index = after === undefined ? 0 : after.index + 1;
  const id = notebook.minor >= firstMinorWithIds ? freeId(cells, createId) : undefined;
  const cell = printedCell(notebook, [], {
    cell_type: JSON.stringify(type),
    ...(type === 'code' && unrun),
    ...(id !== undefined && { id: JSON.stringify(id) }),
    metadata: '{}',
    source: writeSource(notebook, { form: like?.form ?? 'lines', text }),
  });
  const layout = layoutAt(notebook, cellDepth);
  const [part, content] =
    after !== undefined
      ? ([[endOf(after.node), endOf(after.node)], layout.between + cell] as const)
      : first !== undefined
        ? ([[first.node.offset, first.node.offset], cell + layout.between] as const)
        : ([innerPart(list), printed([cell], layout)] as const);
  return {
    text: spliced(notebook.text, part, content),
    cell: id ?? `cell-${index}`,
    type,
    oldSource: undefined,
    newSource: text,
    notes: movedNotes(cells, index, 1),
  };
}

/**
 * Replaces the source of a cell and, if `type` is given, its type. The source stays a string or a list of lines.
 * Outputs are cleared, because they came from the old source. Throws `unsupported_file` for a cell without text or
 * type, and `no_change` if nothing would change.
 */
export function replaceCell(
  notebook: Notebook,
  cell: NotebookCell,
  newSource: string,
  type: NewCellType | undefined,
): NotebookChange {
  const { text, path } = notebook;
  const { node, name } = cell;
  const old = readSource(cell);
  if (old === undefined) throw unsupported(path, `the source of cell ${name} is not text`);
  const source = withLineEndsOf(old.text, newSource);
  const oldType = typeOf(cell);
  if (oldType === undefined) throw unsupported(path, `cell ${name} has no valid cell_type`);
  const newType = type ?? oldType;
  if (old.text === source && newType === oldType) {
    throw new ToolError(
      'no_change',
      `Cell ${name} of ${path} already has this source and type; nothing was changed. Send another new_source.`,
    );
  }
  const isOfOtherType = newType !== oldType;
  const has = (field: string) => memberOf(node, field) !== undefined;
  const dropped = !isOfOtherType
    ? []
    : (newType === 'code' ? ['attachments'] : oldType === 'code' ? Object.keys(unrun) : []).filter(has);
  const cleared = newType === 'code' ? Object.entries(unrun).filter(([field]) => isOfOtherType || has(field)) : [];
  const kept = membersOf(node).filter((member) => !dropped.includes(nameOf(member)));
  const changed = printedCell(notebook, kept, {
    ...(old.text !== source && { source: writeSource(notebook, { form: old.form, text: source }) }),
    ...(isOfOtherType && { cell_type: JSON.stringify(newType) }),
    ...Object.fromEntries(cleared),
  });
  const hadOutputs = (valueAt(node, 'outputs')?.children ?? []).length > 0;
  return {
    text: spliced(text, [node.offset, endOf(node)], changed),
    cell: name,
    type: newType,
    oldSource: old.text,
    newSource: source,
    notes: [
      ...(isOfOtherType ? [`It was a ${oldType} cell before`] : []),
      ...(newType === 'code' && hadOutputs ? ['Its outputs were cleared; they came from the old source'] : []),
      ...(dropped.includes('attachments') ? ['Its attachments were dropped; a code cell cannot have attachments'] : []),
      ...(dropped.includes('outputs') ? ['Its outputs were dropped; only code cells have outputs'] : []),
    ],
  };
}

/**
 * Prints a cell: the members in `set` get new values, all others keep their text. If several members have the same
 * name, the last of them is set. New members are added in order if the members are sorted, else at the end.
 */
function printedCell(notebook: Notebook, members: readonly JsonNode[], set: Readonly<Record<string, string>>): string {
  const layout = layoutAt(notebook, cellDepth + 1);
  const entries = members.map((member): [name: string, text: string] => [
    nameOf(member),
    writtenOf(notebook.text, member),
  ]);
  const isSorted = entries.every(([name], index) => index === 0 || (entries[index - 1]?.[0] ?? '') <= name);
  for (const [name, json] of Object.entries(set)) {
    const at = entries.findLastIndex(([other]) => other === name);
    entries.splice(at < 0 ? entries.length : at, at < 0 ? 0 : 1, [name, `"${name}"${layout.colon}${json}`]);
  }
  if (isSorted) entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return `{${printed(
    entries.map(([, text]) => text),
    layout,
  )}}`;
}

function innerPart(node: JsonNode): readonly [start: number, end: number] {
  return [node.offset + 1, endOf(node) - 1];
}

function spliced(text: string, [start, end]: readonly [start: number, end: number], content: string): string {
  return text.slice(0, start) + content + text.slice(end);
}

function typeOf({ node }: NotebookCell): NotebookChange['type'] {
  const value: unknown = valueAt(node, 'cell_type')?.value;
  return value === 'code' || value === 'markdown' || value === 'raw' ? value : undefined;
}

function freeId(cells: readonly NotebookCell[], createId: () => string): string {
  const taken = new Set(cells.map(({ name }) => name));
  for (;;) {
    const id = createId();
    if (!taken.has(id)) return id;
  }
}

/** A note that cells without ids have new names, because a cell before them was inserted or deleted. */
function movedNotes(cells: readonly NotebookCell[], from: number, by: 1 | -1): string[] {
  const moved = cells.slice(from).filter(({ hasId }) => !hasId);
  const [first] = moved;
  if (first === undefined) return [];
  const others = moved.length > 1 ? ', and so on' : '';
  return [`Cells after it have other names now: cell-${first.index} is cell-${first.index + by}${others}`];
}
