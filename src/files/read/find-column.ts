import { isAscii } from 'node:buffer';
import { decodeText, unitBytes, wholeLength } from '../../editing/encodings/encoding.js';
import { isMultiByte } from '../../editing/encodings/legacy-encoding.js';
import { Pause } from '../disk/yield-to-event-loop.js';
import { type ColumnMark, isSettled, type LineMark, type TextFile } from './find-line.js';
import { lineFeedAt } from './line-feeds.js';

/**
 * A place at or before a column of the line that starts at `start`, at most about a block away from it, or from the end
 * of the line where that comes first. What was counted before is remembered, so that a line of any length is read page
 * by page in one go over its bytes.
 */
export async function findColumn(text: TextFile, start: LineMark, column: number): Promise<ColumnMark> {
  const { file, encoding, buffer, index, signal } = text;
  const { path, version } = file.stat;
  const pause = new Pause(signal);
  let mark: ColumnMark = index.beforeColumn(path, version, start.line, column) ?? { ...start, column: 1 };
  // Where a character of these begins is known only from the start of a line on.
  if (isMultiByte(encoding.name)) return mark;
  for (;;) {
    const count = await file.read(buffer, mark.position);
    const block = wholeUnits(buffer.subarray(0, count), text);
    if (block.length === 0 || lineFeedAt(block, 0, encoding.name) >= 0) return mark;
    const next = { ...mark, column: mark.column + countUnits(block, text), position: mark.position + block.length };
    if (next.column > column) return mark;
    mark = next;
    if (isSettled(file.stat)) index.addColumn(path, version, mark);
    await pause.ifDue();
  }
}

/** The block without a character that its end cuts. */
function wholeUnits(block: Buffer, { encoding }: TextFile): Buffer {
  if (encoding.name === 'utf-8') return block.subarray(0, wholeLength(block));
  if (unitBytes(encoding.name) === 1) return block;
  const whole = block.subarray(0, block.length - (block.length % 2));
  const last = whole.at(encoding.name === 'utf-16le' ? -1 : -2) ?? 0;
  return last >= 0xd8 && last <= 0xdb ? whole.subarray(0, -2) : whole;
}

function countUnits(block: Buffer, { encoding }: TextFile): number {
  if (unitBytes(encoding.name) === 2) return block.length / 2;
  return encoding.name !== 'utf-8' || isAscii(block) ? block.length : decodeText(block, 'utf-8').length;
}
