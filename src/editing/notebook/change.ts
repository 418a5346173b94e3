import { ToolError } from '../../core/error.js';
import { endOf, type JsonNode, memberOf, membersOf, nameOf, type TextEdit, valueAt, writtenOf } from './json-text.js';
import { type CellLayout, cellLayout, listLayout, printed } from './layout.js';
import { type Notebook, type NotebookCell, unsupported } from './read.js';
import { readSource, withLineEndsOf, writeSource } from './source.js';

/** The cell types that a caller may ask for. */
export type NewCellType = 'code' | 'markdown';

/** The edits of the file that change one cell. */
export interface NotebookChange {
  readonly edits: readonly TextEdit[];
  /** The name of the cell that was replaced, inserted or deleted. */
  readonly cell: string;
  /** Undefined for a cell of an unknown type, which can only be deleted. */
  readonly type: NewCellType | 'raw' | undefined;
  /** Undefined for a new cell, and for a deleted one that held no text. */
  readonly oldSource: string | undefined;
  readonly newSource: string;
  /** Side effects, each a sentence without its full stop. */
  readonly notes: readonly string[];
}

/** A cell to insert. */
export interface NewCell {
  readonly type: NewCellType;
  readonly source: string;
}

const firstMinorWithIds = 5;

/** Deletes a cell, with the comma and the white space beside it. */
export function deleteCell(notebook: Notebook, cell: NotebookCell): NotebookChange {
  const { cells, list } = notebook;
  const [before, after] = [cells[cell.index - 1], cells[cell.index + 1]];
  const isAlone = before === undefined && after === undefined;
  return {
    edits: isAlone
      ? [{ offset: list.offset + 1, length: list.length - 2, content: '' }]
      : [withoutEntry(before?.node, cell.node, after?.node)],
    cell: cell.name,
    type: typeOf(cell),
    oldSource: readSource(notebook, cell)?.text,
    newSource: '',
    notes: movedNotes(cells, cell.index + 1, -1),
  };
}

/**
 * Inserts a new cell after another one or at the start, in the layout of its neighbours. It gets an id if the format
 * has ids.
 */
export function insertCell(
  notebook: Notebook,
  after: NotebookCell | undefined,
  { type, source: newSource }: NewCell,
  createId: () => string,
): NotebookChange {
  const { cells, isEscaped, list } = notebook;
  // The layout is that of a neighbour, unless the neighbour has no members.
  const sample = [after, ...cells].find((cell) => membersOf(cell?.node).length > 1);
  const { object, colon, lines } = cellLayout(notebook, sample?.node);
  const like = sample && readSource(notebook, sample);
  const source = withLineEndsOf(like?.text ?? '', newSource);
  const index = after === undefined ? 0 : after.index + 1;
  const id = notebook.minor >= firstMinorWithIds ? freeId(cells, createId) : undefined;
  const fields: Readonly<Record<string, string | undefined>> = {
    cell_type: JSON.stringify(type),
    ...(type === 'code' && { execution_count: 'null' }),
    ...(id !== undefined && { id: JSON.stringify(id) }),
    metadata: '{}',
    ...(type === 'code' && { outputs: '[]' }),
    source: writeSource(source, like && { ...like, written: new Map() }, lines, isEscaped),
  };
  const members = Object.entries(fields).map(([name, value]) => `"${name}"${colon}${value}`);
  const cell = `{${printed(members, object)}}`;
  const { between } = listLayout(notebook);
  const [first] = cells;
  const edit =
    first === undefined
      ? { offset: list.offset + 1, length: list.length - 2, content: printed([cell], listLayout(notebook)) }
      : after === undefined
        ? { offset: first.node.offset, length: 0, content: cell + between }
        : { offset: endOf(after.node), length: 0, content: between + cell };
  return {
    edits: [edit],
    cell: id ?? `cell-${index}`,
    type,
    oldSource: undefined,
    newSource: source,
    notes: movedNotes(cells, index, 1),
  };
}

/**
 * Replaces the source of a cell and, if `type` is given, its type. The source keeps its form, string or list. Outputs are
 * cleared, because they came from the old source. Throws `unsupported_file` for a cell without text or type, and
 * `no_change` if nothing would change.
 */
export function replaceCell(
  notebook: Notebook,
  cell: NotebookCell,
  newSource: string,
  type: NewCellType | undefined,
): NotebookChange {
  const { text, path, isEscaped } = notebook;
  const { node, name } = cell;
  const old = readSource(notebook, cell);
  if (old === undefined) throw unsupported(path, `the source of cell ${name} is no text`);
  const source = withLineEndsOf(old.text, newSource);
  const oldType = typeOf(cell);
  if (oldType === undefined) throw unsupported(path, `cell ${name} has no cell_type that notebooks know`);
  const newType = type ?? oldType;
  if (old.text === source && newType === oldType) {
    throw new ToolError(
      'no_change',
      `Cell ${name} of ${path} already has this source and type; nothing was changed. Send another new_source.`,
    );
  }
  const layout = cellLayout(notebook, node);
  const isOfOtherType = newType !== oldType;
  const has = (field: string) => memberOf(node, field) !== undefined;
  const set = new Map<string, string>();
  if (old.text !== source) set.set('source', writeSource(source, old, layout.lines, isEscaped));
  if (isOfOtherType) set.set('cell_type', JSON.stringify(newType));
  // A code cell has outputs and a count, and no attachments.
  const unrun = Object.entries({ execution_count: 'null', outputs: '[]' });
  const added = newType === 'code' && isOfOtherType ? unrun.filter(([field]) => !has(field)) : [];
  for (const [field, value] of newType === 'code' ? unrun : []) {
    const held = valueAt(node, field);
    if (held !== undefined && writtenOf(text, held).replaceAll(/\s/g, '') !== value) set.set(field, value);
  }
  const dropped = !isOfOtherType
    ? []
    : (newType === 'code' ? ['attachments'] : oldType === 'code' ? ['execution_count', 'outputs'] : []).filter(has);
  return {
    edits: memberEdits(node, set, dropped, added, layout),
    cell: name,
    type: newType,
    oldSource: old.text,
    newSource: source,
    notes: [
      ...(isOfOtherType ? [`It was a ${oldType} cell before`] : []),
      ...(set.has('outputs') ? ['Its outputs were cleared; they came from the old source'] : []),
      ...(dropped.includes('attachments') ? ['Its attachments were dropped; a code cell can hold none'] : []),
      ...(dropped.includes('outputs') ? ['Its outputs were dropped; only code cells have any'] : []),
    ],
  };
}

/**
 * Sets, removes and adds members of an object without changing its other bytes. A removed name is removed wherever it
 * occurs. A new member is added in order if the members are sorted, else at the end. At least one member stays.
 */
function memberEdits(
  node: JsonNode,
  set: ReadonlyMap<string, string>,
  dropped: readonly string[],
  added: readonly (readonly [name: string, value: string])[],
  { object, colon }: CellLayout,
): TextEdit[] {
  const members = membersOf(node);
  const isKept = (member: JsonNode) => !dropped.includes(nameOf(member));
  const isSorted = members.every(
    (member, index) => index === 0 || nameOf(members[index - 1] ?? member) <= nameOf(member),
  );
  const firstKept = members.findIndex(isKept);
  const gone = members.flatMap((member, index) =>
    isKept(member)
      ? []
      : [withoutEntry(index < firstKept ? undefined : members[index - 1], member, members[index + 1])],
  );
  const changed = [...set].flatMap(([name, content]) => {
    const value = valueAt(node, name);
    return value === undefined ? [] : [{ offset: value.offset, length: value.length, content }];
  });
  const come = added.flatMap(([name, value]) => {
    const before = members.findLast((member) => isKept(member) && (!isSorted || nameOf(member) < name));
    const content = `${object.between}"${name}"${colon}${value}`;
    return before === undefined ? [] : [{ offset: endOf(before), length: 0, content }];
  });
  return [...gone, ...changed, ...come];
}

/** Removes an entry of a list or object, with the comma before it, or after it if it is the first. */
function withoutEntry(before: JsonNode | undefined, entry: JsonNode, after: JsonNode | undefined): TextEdit {
  const offset = before === undefined ? entry.offset : endOf(before);
  const end = before === undefined ? (after?.offset ?? endOf(entry)) : endOf(entry);
  return { offset, length: end - offset, content: '' };
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
  return [`Cells behind it have other names now: cell-${first.index} is cell-${first.index + by}${others}`];
}
