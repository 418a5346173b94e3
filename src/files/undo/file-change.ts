import type { ChangedSpan } from './changed-span.js';

/** One change of one file, with what is needed to take it back. The bytes are raw: show nothing of them unscrubbed. */
export interface FileChange {
  readonly id: number;
  readonly sessionId: string;
  /** Counts up for each session; the changes of one turn are taken back together. */
  readonly turn: number;
  /** The call that made it, where it is known. */
  readonly callId: string | undefined;
  /** Canonical. */
  readonly path: string;
  readonly operation: 'create' | 'update' | 'remove';
  readonly span: ChangedSpan;
  /** SHA-256 of the whole content in base64; undefined where there was no file. */
  readonly hashBefore: string | undefined;
  readonly hashAfter: string | undefined;
  /** Permission bits before; undefined where there was no file. */
  readonly modeBefore: number | undefined;
  /** Permission bits that the change left; undefined where it left no file or they are not known. */
  readonly modeAfter?: number | undefined;
  /** Folders that were made for a new file, the outermost first. */
  readonly madeFolders?: readonly string[] | undefined;
  /**
   * The content before is that of a file outside as well, by another name (hard link): it is put back, but not shown.
   */
  readonly isFromOutside?: boolean | undefined;
  /** The record had no room for the bytes: `span` is empty and the change cannot be taken back. */
  readonly isTooLarge?: boolean | undefined;
  /** In a journal: older changes of the same turn are forgotten. */
  readonly isTurnCut?: boolean | undefined;
  /** ISO 8601. */
  readonly at: string;
}

/** One line of the journal: a change, or that one was taken back. */
export type ChangeEntry = FileChange | { readonly undone: number };

/** A journal entry as one line of JSON; bytes in base64. */
export function encodeEntry(entry: ChangeEntry): string {
  if ('undone' in entry) return JSON.stringify(entry);
  const { offset, removed, inserted } = entry.span;
  return JSON.stringify({
    ...entry,
    span: { offset, removed: removed.toString('base64'), inserted: inserted.toString('base64') },
  });
}

/** The entry of a line; undefined for one that is cut or damaged. */
export function decodeEntry(line: string): ChangeEntry | undefined {
  try {
    const entry = JSON.parse(line);
    if (typeof entry.undone === 'number') return { undone: entry.undone };
    if (typeof entry.id !== 'number' || typeof entry.path !== 'string') return undefined;
    const { offset, removed, inserted } = entry.span;
    return {
      ...entry,
      span: { offset, removed: Buffer.from(removed, 'base64'), inserted: Buffer.from(inserted, 'base64') },
    };
  } catch {
    return undefined;
  }
}
