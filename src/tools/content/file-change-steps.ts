import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { plainForm } from '../../core/text/look-alikes.js';
import { type Diff, diffOfTexts } from '../../editing/diff/by-lines.js';
import { fileText, textEncoding } from '../../editing/encodings/detect.js';
import type { CurrentFile, FileSystem, FileUpdate, NewContent } from '../../ports/file-system.js';

/**
 * The bytes of the file to edit. Throws `file_not_found`, `file_too_large`, or `file_changed` if the file has just
 * appeared.
 */
export async function currentBytes(
  current: CurrentFile | undefined,
  path: string,
  files: FileSystem,
  maxBytes: number,
  scope: CallScope,
): Promise<Buffer> {
  if (current === undefined) {
    // Opening the file gives the most exact error for a missing part of the path.
    await files.open(path, scope).then((file) => file.close());
    throw new ToolError(
      'file_changed',
      `The file appeared while it was being edited: ${path}. Read it, then try again.`,
    );
  }
  if (current.stat.size > maxBytes) {
    throw new ToolError(
      'file_too_large',
      `The file has ${current.stat.size} bytes, more than the ${maxBytes} that can be edited: ${path}. Use Bash.`,
    );
  }
  const bytes = await current.bytes();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The diff of a change; undefined if the file has another hard link, which may lie outside the roots. */
export function shownDiff<Shown>(update: FileUpdate, diff: Shown): Shown | undefined {
  return update.method === 'detached' ? undefined : diff;
}

/** Larger contents are not compared. */
export const maxDiffBytes = 4_000_000;

/** The diff of two contents of a file; undefined for binary files and for files that are too large to compare. */
export function diffOfFiles(before: Buffer | undefined, after: Buffer | undefined, maxLines: number): Diff | undefined {
  const [old, current] = [before, after].map((bytes = Buffer.of()) =>
    bytes.length > maxDiffBytes ? undefined : fileText(bytes),
  );
  return old === undefined || current === undefined ? undefined : diffOfTexts(old, current, maxLines);
}

/** Writes the new content that `plan` makes from the current file. Returns the update and the plan. */
export async function writePlanned<Plan extends NewContent>(
  files: FileSystem,
  path: string,
  plan: (current: CurrentFile | undefined) => Promise<Plan>,
  scope: CallScope,
  spelling?: 'exact',
): Promise<{ readonly update: FileUpdate; readonly planned: Plan }> {
  let planned: Plan | undefined;
  const change = async (current: CurrentFile | undefined) => {
    planned = await plan(current);
    return planned;
  };
  const update = await files.update(path, change, scope, spelling);
  if (update !== undefined && planned !== undefined) return { update, planned };
  throw new ToolError('storage_failed', `Nothing was written: ${path}.`);
}

/** The notes for the model about how a file was written; none in the usual case. */
export function writeNotes(update: FileUpdate, given: string): string[] {
  const notes: string[] = [];
  if (update.path.split(/[\\/]/).some((name) => !given.includes(name) && plainForm(given).includes(plainForm(name))))
    notes.push(`[No file is named exactly ${given}; the file with the look-alike name was changed]`);
  if (update.method === 'detached')
    notes.push(
      '[The file had other hard links, some perhaps outside the workspace; the other links keep the old content]',
    );
  if (update.cannotBeUndone === true)
    notes.push('[The change is too large for the record of changes: UndoFile and UndoTurn cannot take it back]');
  return notes;
}

/** A note about NUL characters in new text. In most encodings, NUL characters make a file count as binary. */
export function zeroNotes(text: string, slices: readonly Uint8Array[]): string[] {
  if (!text.includes('\0') || textEncoding(Buffer.concat(slices)) !== undefined) return [];
  return ['[The text contains a NUL character: from now on the file counts as binary, and Read and Edit refuse it]'];
}

/** Throws `invalid_input` for text with a lone surrogate, which no encoding can store. */
export function refuseBrokenText(text: string, field: string): void {
  if (text.isWellFormed()) return;
  throw new ToolError(
    'invalid_input',
    `${field} contains half of a surrogate pair, which no file can store; send the whole character.`,
  );
}

/** The error for a change of a file that the agent has not read (`unseen`) or that has changed since (`stale`). */
export function notAsRead(path: string, state: 'unseen' | 'stale'): ToolError {
  const why = state === 'unseen' ? 'This agent has not read the file yet' : 'The file has changed since it was read';
  return new ToolError('file_changed', `${why}: ${path}. Read it, then try again.`);
}
