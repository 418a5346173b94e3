import type { CallScope } from '../../core/context.js';
import { Pause } from '../../core/support/event-loop-yield.js';
import { byMark, pieceDecoder } from '../../editing/encodings/codecs.js';
import type { FileSystem, OpenFile } from '../../ports/file-system.js';

/** The lines to read. */
export interface WantedLines {
  /** Line numbers from 1. As in Grep, only a line feed ends a line. */
  readonly numbers: ReadonlySet<number>;
  readonly maxChars: number;
}

const blockBytes = 262_144;

/** Reads some lines of a file in one pass, decoded as by Grep. Returns an empty map for an unreadable file. */
export async function linesOfFile(
  files: FileSystem,
  path: string,
  wanted: WantedLines,
  scope: CallScope,
): Promise<ReadonlyMap<number, string>> {
  try {
    const file = await files.open(path, scope);
    try {
      return await readLines(file, wanted, scope.signal);
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if (scope.signal.aborted) throw thrown;
    return new Map();
  }
}

async function readLines(
  file: OpenFile,
  { numbers, maxChars }: WantedLines,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const pause = new Pause(signal);
  const buffer = Buffer.allocUnsafe(Math.max(2, Math.min(blockBytes, file.stat.size)));
  const lines = new Map<number, string>();
  const last = [...numbers].reduce((most, number) => Math.max(most, number), 0);
  let decoder: ReturnType<typeof pieceDecoder> | undefined;
  let number = 1;
  let kept = '';
  for (let at = 0; number <= last; ) {
    const block = buffer.subarray(0, await file.read(buffer, at));
    decoder ??= pieceDecoder(byMark(block)?.name ?? 'utf-8');
    const text = decoder.decode(block, block.length === 0);
    at += block.length;
    let from = 0;
    for (let feed = text.indexOf('\n'); feed >= 0 && number <= last; feed = text.indexOf('\n', from)) {
      if (numbers.has(number)) lines.set(number, kept + text.slice(from, feed).slice(0, maxChars - kept.length));
      kept = '';
      from = feed + 1;
      number++;
    }
    if (numbers.has(number)) kept += text.slice(from).slice(0, maxChars - kept.length);
    if (block.length === 0) {
      if (numbers.has(number)) lines.set(number, kept);
      break;
    }
    await pause.ifDue();
  }
  return lines;
}
