import { ToolError } from '../../core/error.js';
import { marksIn, restoreSecrets, type SecretLookup } from '../../core/text/redaction-marks.js';
import type { Scrub } from '../../core/text/scrub-excerpt.js';
import { scrubCredentials } from '../../secrets/scrubber.js';
import { type Diff, diffOfTexts, withLastBreak } from '../diff/line-diff.js';
import { doubtfulMark, doubtfulWords } from '../redaction-guard.js';
import { deleteCell, insertCell, type NewCellType, type NotebookChange, replaceCell } from './change.js';
import { findCell } from './find.js';
import { type Notebook, notebookText, readNotebook } from './read.js';
import { readSource } from './source.js';

/** One change of one cell; `cell` is the id of the cell or its place. */
export type NotebookEdit =
  | { readonly mode: 'replace'; readonly cell: string; readonly source: string; readonly type: NewCellType | undefined }
  | { readonly mode: 'insert'; readonly cell: string | undefined; readonly source: string; readonly type: NewCellType }
  | { readonly mode: 'delete'; readonly cell: string };

/** What planning needs besides the file and the edit. */
export interface NotebookPlanOptions {
  readonly path: string;
  readonly maxDiffLines: number;
  /** Makes an id for a new cell; called again while the id is taken. */
  readonly createId: () => string;
  /** Looks up the secrets of the marks in the source. Default: no mark is known. */
  readonly secretOf?: SecretLookup | undefined;
  /** The scrubber that the shown notebook went through; `false` for none. Default: `scrubCredentials`. */
  readonly scrub?: Scrub | false | undefined;
}

/** The result of an edit of a notebook. */
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
  if (cell === undefined) throw new ToolError('invalid_input', 'Pass the cell_id of the cell that is meant.');
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
    `${foreign[0]} stands for a secret that was hidden when ${path} was shown; the file does not hold that ` +
      'text, and writing it would destroy the secret. Have the code take the secret from the environment, or ' +
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

// Usually the last line of a source has no line break, so the diff does not mention that.
function sourceDiff(oldSource: string, newSource: string, maxLines: number): Diff {
  const [oldText, newText] = [oldSource, newSource].map(withLastBreak) as [string, string];
  return oldText === newText ? diffOfTexts(oldSource, newSource, maxLines) : diffOfTexts(oldText, newText, maxLines);
}
