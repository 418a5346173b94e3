import { diffOfTexts } from '../../editing/diff/line-diff.js';
import { fileText } from '../../editing/encodings/file-encoding.js';
import type { UndoneChange } from '../../files/undo/revert-change.js';

const maxDiffBytes = 4_000_000;

/** Describes an undone change, with a diff if the file is text. */
export function describeUndone(
  { change, update, before, after }: UndoneChange,
  maxDiffLines: number,
): { readonly text: string; readonly diff: string } {
  const action =
    update === undefined ? `Removed ${change.path}, which did not exist before` : `Restored ${change.path}`;
  const by = change.callId === undefined ? '' : ` (change of call ${change.callId})`;
  const diff = change.isFromOutside === true ? '' : diffOf(before, after, maxDiffLines);
  return { text: `${action}${by}.${diff === '' || update === undefined ? '' : `\n${diff}`}`, diff };
}

function diffOf(before: Buffer, after: Buffer, maxLines: number): string {
  if (before.length > maxDiffBytes || after.length > maxDiffBytes) return '';
  const [old, current] = [fileText(before), fileText(after)];
  if (old === undefined || current === undefined) return '';
  return diffOfTexts(old, current, maxLines).text;
}
