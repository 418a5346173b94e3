import { ifPossible } from '../../core/support/check-values.js';

/** The difference of two contents: the bytes removed at `offset`, and the bytes inserted there. */
export interface ChangedSpan {
  readonly offset: number;
  readonly removed: Buffer;
  readonly inserted: Buffer;
}

/** One change of one file, with the data to undo it. The bytes are raw: scrub them before they are shown. */
export interface FileChange {
  readonly id: number;
  readonly sessionId: string;
  /** Number of the turn in its session; the changes of one turn are undone together. */
  readonly turn: number;
  /** The call that made the change, if known. */
  readonly callId: string | undefined;
  /** The canonical path. */
  readonly path: string;
  readonly operation: 'create' | 'update' | 'remove';
  readonly span: ChangedSpan;
  /** SHA-256 of the whole content in base64; undefined if the file did not exist. */
  readonly hashBefore: string | undefined;
  readonly hashAfter: string | undefined;
  /** Permission bits before; undefined if the file did not exist. */
  readonly modeBefore: number | undefined;
  /** Permission bits after the change; undefined if it removed the file or they are unknown. */
  readonly modeAfter?: number | undefined;
  /** Folders that were created for a new file, the outermost first. */
  readonly madeFolders?: readonly string[] | undefined;
  /** A hard link of the old file lies outside the roots: undo restores the old content, which is not shown. */
  readonly isFromOutside?: boolean | undefined;
  /** The bytes were too large to record: `span` is empty and the change cannot be undone. */
  readonly isTooLarge?: boolean | undefined;
  /** In a journal: older changes of the same turn were dropped. */
  readonly isTurnCut?: boolean | undefined;
  /** ISO 8601. */
  readonly at: string;
}

/** One line of the journal: a change, or the id of a change that was undone. */
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

/** The entry of a line; undefined if the line is cut or damaged. */
export function decodeEntry(line: string): ChangeEntry | undefined {
  return ifPossible(() => {
    const entry = JSON.parse(line);
    if (typeof entry.undone === 'number') return { undone: entry.undone };
    if (typeof entry.id !== 'number' || typeof entry.path !== 'string') return undefined;
    const { offset, removed, inserted } = entry.span;
    return {
      ...entry,
      span: { offset, removed: Buffer.from(removed, 'base64'), inserted: Buffer.from(inserted, 'base64') },
    };
  });
}

const blockBytes = 65_536;

/** The smallest span whose replacement turns `before` into `after`; `removed` and `inserted` are copies. */
export function changedSpan(before: Buffer, after: Buffer): ChangedSpan {
  const shorter = Math.min(before.length, after.length);
  const offset = commonStart(before, after, shorter);
  const tail = commonEnd(before, after, shorter - offset);
  return {
    offset,
    removed: Buffer.from(before.subarray(offset, before.length - tail)),
    inserted: Buffer.from(after.subarray(offset, after.length - tail)),
  };
}

function commonStart(left: Buffer, right: Buffer, most: number): number {
  let at = 0;
  while (at + blockBytes <= most && left.compare(right, at, at + blockBytes, at, at + blockBytes) === 0)
    at += blockBytes;
  while (at < most && left[at] === right[at]) at++;
  return at;
}

function commonEnd(left: Buffer, right: Buffer, most: number): number {
  let count = 0;
  const same = (from: number, until: number) =>
    left.compare(right, right.length - until, right.length - from, left.length - until, left.length - from) === 0;
  while (count + blockBytes <= most && same(count, count + blockBytes)) count += blockBytes;
  while (count < most && left[left.length - 1 - count] === right[right.length - 1 - count]) count++;
  return count;
}
