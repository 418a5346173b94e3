import { ToolError } from '../../core/error.js';
import { didYouMean } from '../../core/support/near-names.js';
import { marksIn, restoreSecrets, type SecretLookup } from '../../core/text/redaction-marks.js';
import type { Scrub } from '../../core/text/scrub-excerpt.js';
import { scrubCredentials } from '../../secrets/scrubber.js';
import { type Diff, diffOfTexts, withLastBreak } from '../diff/by-lines.js';
import { doubtfulMark, doubtfulWords } from '../redaction-guard.js';
import { readSource } from './cell-source.js';
import { deleteCell, insertCell, type NewCellType, type NotebookChange, replaceCell } from './change-cell.js';
import { type Notebook, type NotebookCell, notebookText, readNotebook } from './read.js';

const maxListed = 20;
const maxNear = 1_000;
const maxNameChars = 64;
const place = /^(?:cell-)?(0|[1-9]\d{0,9})$/;

/** One change of one cell; `cell` is the id of the cell or its index. */
export type NotebookEdit =
  | { readonly mode: 'replace'; readonly cell: string; readonly source: string; readonly type: NewCellType | undefined }
  | { readonly mode: 'insert'; readonly cell: string | undefined; readonly source: string; readonly type: NewCellType }
  | { readonly mode: 'delete'; readonly cell: string };

export interface NotebookPlanOptions {
  readonly path: string;
  readonly maxDiffLines: number;
  /** Makes an id for a new cell; called again while the id is taken. */
  readonly createId: () => string;
  /** Looks up the secret of a redaction mark in the source. Default: all marks are unknown. */
  readonly secretOf?: SecretLookup | undefined;
  /** The scrubber that was applied to the shown notebook; `false` for none. Default: `scrubCredentials`. */
  readonly scrub?: Scrub | false | undefined;
}

export interface NotebookPlan extends Omit<NotebookChange, 'text'> {
  readonly bytes: Buffer;
  readonly language: string;
  readonly diff: Diff;
}

/**
 * Plans the change of one cell. Every byte outside the cell stays, except the comma and white space beside an inserted
 * or deleted cell. A replaced cell keeps its other members as they are written. Throws `unsupported_file` for a file
 * that is not a notebook of format 4.0 to 4.5, `no_match`, `not_unique`, `no_change` and `redaction_in_edit`.
 */
export function planNotebookEdit(
  bytes: Buffer,
  edit: NotebookEdit,
  { path, maxDiffLines, createId, secretOf, scrub = scrubCredentials }: NotebookPlanOptions,
): NotebookPlan {
  const [mark, text] = notebookText(bytes, path);
  const notebook = readNotebook(text, path);
  const restored = withSecrets(notebook, edit, secretOf);
  refuseDoubtfulMarks(notebook, restored, scrub);
  const { text: changed, ...change } = changeOf(notebook, restored, createId);
  const diff = sourceDiff(change.oldSource ?? '', change.newSource, maxDiffLines);
  return { ...change, bytes: Buffer.from(mark + changed), language: notebook.language, diff };
}

function changeOf(notebook: Notebook, edit: NotebookEdit, createId: () => string): NotebookChange {
  const cell = edit.cell === undefined ? undefined : findCell(notebook, edit.cell);
  if (edit.mode === 'insert') return insertCell(notebook, cell, edit, createId);
  if (cell === undefined) throw new ToolError('invalid_input', 'Pass the cell_id of the cell to change.');
  return edit.mode === 'delete' ? deleteCell(notebook, cell) : replaceCell(notebook, cell, edit.source, edit.type);
}

function withSecrets(
  { text: file, path }: Notebook,
  edit: NotebookEdit,
  secretOf: SecretLookup | undefined,
): NotebookEdit {
  if (edit.mode === 'delete') return edit;
  const holds = (found: string) => file.includes(found) || file.includes(JSON.stringify(found).slice(1, -1));
  const { text, foreign } = restoreSecrets(edit.source, holds, secretOf);
  if (foreign[0] === undefined) return { ...edit, source: text };
  throw new ToolError(
    'redaction_in_edit',
    `${foreign[0]} stands for a secret that was hidden when ${path} was shown. The file does not contain this ` +
      'mark, and writing the mark would destroy the secret. Have the code take the secret from the environment, or ' +
      'change the lines around it with Edit.',
  );
}

// Only secrets in the replaced source can be lost.
function refuseDoubtfulMarks(notebook: Notebook, edit: NotebookEdit, scrub: Scrub | false): void {
  if (edit.mode !== 'replace' || marksIn(edit.source).length === 0) return;
  const old = readSource(findCell(notebook, edit.cell))?.text ?? '';
  const doubtful = doubtfulMark(edit.source, () => old, scrub);
  if (doubtful === undefined) return;
  throw new ToolError(
    'redaction_in_edit',
    `${doubtfulWords(doubtful, `the cell in ${notebook.path}`)}. Have the code take the secret from the ` +
      'environment, or change the lines around it with Edit.',
  );
}

// Usually the last line of a source has no line break, so the diff does not mention a missing line break.
function sourceDiff(oldSource: string, newSource: string, maxLines: number): Diff {
  const [oldText, newText] = [oldSource, newSource].map(withLastBreak) as [string, string];
  return oldText === newText ? diffOfTexts(oldSource, newSource, maxLines) : diffOfTexts(oldText, newText, maxLines);
}

/** The cell of a name, or of an index from 0 (`cell-2` or `2`). Throws `no_match` and `not_unique`. */
function findCell(notebook: Notebook, reference: string): NotebookCell {
  const named = notebook.cells.filter(({ name }) => name === reference);
  if (named.length > 1) throw notUnique(notebook, reference, named);
  const found = named[0] ?? atPlace(notebook, reference);
  if (found === undefined) throw noMatch(notebook, reference);
  return found;
}

function atPlace({ cells }: Notebook, reference: string): NotebookCell | undefined {
  const index = place.exec(reference)?.[1];
  return index === undefined ? undefined : cells[Number(index)];
}

function noMatch({ path, cells }: Notebook, reference: string): ToolError {
  const head = `There is no cell ${nameInMessage(reference)} in ${path}.`;
  if (cells.length === 0)
    return new ToolError('no_match', `${head} It has no cells; leave cell_id out to insert the first.`);
  const listed = cells.slice(0, maxListed).map(({ name }) => nameInMessage(name));
  const rest = cells.length > listed.length ? ` and ${cells.length - listed.length} more` : '';
  const names = cells.slice(0, maxNear).map(({ name }) => name);
  return new ToolError(
    'no_match',
    `${head}${didYouMean(reference, names)} Its cells are ${listed.join(', ')}${rest}. Pass the id of one of ` +
      'them, as Read shows it.',
    { metadata: { cellCount: cells.length } },
  );
}

function notUnique({ path, cells }: Notebook, reference: string, named: readonly NotebookCell[]): ToolError {
  const taken = new Set(cells.map(({ name }) => name));
  const places = named
    .slice(0, maxListed)
    .map(({ index }) => (taken.has(`cell-${index}`) ? String(index) : `cell-${index}`));
  return new ToolError(
    'not_unique',
    `${named.length} cells of ${path} are called ${nameInMessage(reference)}. Pass the index of the right cell instead ` +
      `of its id: ${places.join(', ')}.`,
    { metadata: { count: named.length } },
  );
}

function nameInMessage(name: string): string {
  const short = name.length > maxNameChars ? `${name.slice(0, maxNameChars)}…` : name;
  return /^[\w-]+$/.test(short) ? short : JSON.stringify(short.toWellFormed());
}
