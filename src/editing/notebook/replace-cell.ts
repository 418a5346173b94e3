import { ToolError } from '../../core/error.js';
import { knownTypeOf, type NewCellType, type NotebookChange } from './change.js';
import { type JsonNode, memberOf, rawText } from './json-node.js';
import { cellLayout } from './layout.js';
import { changeMembers, type MemberChanges } from './members.js';
import { type Notebook, type NotebookCell, unsupported } from './notebook.js';
import { readSource, withLineEndsOf, writeSource } from './source.js';

/**
 * Gives a cell another source and, where `type` is given, another type. The source keeps its form, string or list. What
 * a code cell has put out goes, because another source did it. Throws `unsupported_file` for a cell without text or
 * type, `no_change` where nothing would change.
 */
export async function replaceCell(
  notebook: Notebook,
  cell: NotebookCell,
  newSource: string,
  type: NewCellType | undefined,
): Promise<NotebookChange> {
  const { bytes, path, isEscaped } = notebook;
  const old = await readSource(notebook, cell);
  if (old === undefined) throw unsupported(path, `the source of cell ${cell.name} is no text`);
  const source = withLineEndsOf(old.text, newSource);
  const oldType = knownTypeOf(notebook, cell);
  const newType = type ?? oldType;
  if (old.text === source && newType === oldType) {
    throw new ToolError(
      'no_change',
      `Cell ${cell.name} of ${path} is just so already; nothing was changed. Send another new_source.`,
    );
  }
  const layout = cellLayout(notebook, cell.node);
  const fields =
    newType === 'code' ? codeFields(bytes, cell.node, oldType !== 'code') : otherFields(cell.node, oldType === 'code');
  const set = new Map(fields.set);
  if (old.text !== source) set.set('source', writeSource(source, old, layout.lines, isEscaped));
  if (newType !== oldType) set.set('cell_type', JSON.stringify(newType));
  return {
    replacements: changeMembers(bytes, cell.node, { ...fields, set }, layout),
    cell: cell.name,
    type: newType,
    oldSource: old.text,
    newSource: source,
    notes: [...(newType === oldType ? [] : [`It was a ${oldType} cell before`]), ...fields.notes],
  };
}

type FieldChanges = MemberChanges & { readonly notes: readonly string[] };

const unrun = { execution_count: 'null', outputs: '[]' };
const none: ReadonlySet<string> = new Set();

// A code cell has outputs and a count, and no attachments.
function codeFields(bytes: Buffer, node: JsonNode, isNew: boolean): FieldChanges {
  const set = new Map<string, string>();
  const add = new Map<string, string>();
  for (const [name, value] of Object.entries(unrun)) {
    const member = memberOf(node, name);
    if (member === undefined && isNew) add.set(name, value);
    if (member !== undefined && rawText(bytes, member.value.start, member.value.end).replaceAll(/\s/g, '') !== value)
      set.set(name, value);
  }
  const remove = isNew && memberOf(node, 'attachments') !== undefined ? new Set(['attachments']) : none;
  const notes = [
    ...(set.has('outputs') ? ['Its outputs were cleared; they came from the old source'] : []),
    ...(remove.size > 0 ? ['Its attachments were dropped; a code cell can hold none'] : []),
  ];
  return { set, add, remove, notes };
}

function otherFields(node: JsonNode, wasCode: boolean): FieldChanges {
  const names = wasCode ? Object.keys(unrun).filter((name) => memberOf(node, name) !== undefined) : [];
  const notes = names.includes('outputs') ? ['Its outputs were dropped; only code cells have any'] : [];
  return { set: new Map(), add: new Map(), remove: new Set(names), notes };
}
