import { StringDecoder } from 'node:string_decoder';
import { shellNumbers } from '../../core/fixed-limits.js';
import type { Limits } from '../../core/limits.js';
import { headOf, tailOf } from '../../core/text/cut.js';
import { splitOpenEnd, terminalText } from '../../core/text/terminal.js';
import type { Scrubber } from '../../ports/scrubber.js';
import type { CaptureFile } from './capture-file.js';

/** Options for showing an output file. */
export interface ViewOptions {
  /** Maximum length of the text, including the omission notice. */
  readonly maxChars: number;
  /** Text up to this length is shown whole, even if it is longer than `maxChars`. Default: `maxChars`. */
  readonly wholeChars?: number;
  readonly scrubber: OutputScrubber;
}

/** View options for a result. Cut output leaves room for the lines that the result appends. */
export function resultView({ maxChars }: Limits['output'], scrubber: OutputScrubber): ViewOptions {
  return { maxChars: Math.max(1, maxChars - shellNumbers.trailerChars), wholeChars: maxChars, scrubber };
}

/** Output for a result. */
interface OutputView {
  readonly text: string;
  /** Whether the text is incomplete. */
  readonly isCut: boolean;
}

/** Where the output is kept, and how many bytes of it are lost. */
type KeptOutput = Pick<CaptureFile, 'path' | 'lostBytes'>;

/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const maxBytesPerChar = 3;
const { holdBackChars, maxCountedBytes } = shellNumbers;
const countChunkBytes = 262_144;
const maxCharacterBytes = 4;
const noticeChars = 120;

/**
 * The whole output as plain, scrubbed text, or its head and tail with a line between them that says how much is
 * missing.
 */
export function viewOutput(capture: CaptureFile, options: ViewOptions): OutputView {
  const { maxChars, scrubber } = options;
  const { size } = capture;
  const half = halfOf(maxChars, capture);
  if (size <= 2 * windowBytes(half)) {
    const text = scrubber.text(terminalText(capture.read(0, size).toString('utf8')));
    const shown = cutOutput(text, options, capture);
    return { text: shown, isCut: shown !== text || capture.lostBytes > 0 };
  }
  const [opening] = splitOpenEnd(new StringDecoder('utf8').write(capture.read(0, windowBytes(half))));
  const head = headOf(scrubber.stream().push(terminalText(opening)), half);
  const tail = insideOf(scrubber.text(terminalText(tailBytes(capture, size, half).toString('utf8'))), half);
  return { text: joinAround(head, omissionNotice(capture, 0, size, head, tail), tail), isCut: true };
}

/**
 * The newest output of a running command, at most `maxChars`. An end that may be the beginning of a secret is omitted.
 */
export function tailOutput(capture: CaptureFile, { maxChars, scrubber }: ViewOptions): string {
  const { size } = capture;
  const [raw] = splitOpenEnd(new StringDecoder('utf8').write(tailBytes(capture, size, maxChars)));
  const text = scrubber.stream().push(terminalText(raw));
  return size <= windowBytes(maxChars) ? tailOf(text, maxChars) : insideOf(text, maxChars);
}

/** The maximum length of the head and of the tail, which share `maxChars` with the omission notice. */
export function halfOf(maxChars: number, capture: KeptOutput): number {
  return Math.max(1, Math.floor((maxChars - noticeChars - capture.path.length) / 2));
}

/** The size of a window in bytes: enough for `chars` characters, and for context on one side (`holdBackChars`). */
export function windowBytes(chars: number): number {
  return (chars + holdBackChars) * maxBytesPerChar;
}

/** The bytes of a window that ends at `end` and begins at the start of a character. */
export function tailBytes(capture: CaptureFile, end: number, chars: number): Buffer {
  const length = Math.min(end, windowBytes(chars));
  const bytes = capture.read(end - length, length);
  return length === end ? bytes : dropPartialCharacter(bytes);
}

/** Removes leading bytes of an incomplete UTF-8 character. */
export function dropPartialCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < Math.min(bytes.length, maxCharacterBytes - 1) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}

/**
 * The last characters of a window. The context at the start is dropped, because the window may start inside a secret.
 */
export function insideOf(text: string, maxChars: number): string {
  return tailOf(text, Math.min(maxChars, Math.max(0, text.length - holdBackChars)));
}

/** The text itself, or its head and tail around a notice if the text is too long. */
export function cutOutput(
  text: string,
  { maxChars, wholeChars = maxChars }: Pick<ViewOptions, 'maxChars' | 'wholeChars'>,
  capture: KeptOutput,
): string {
  if (text.length <= wholeChars) return text;
  const half = halfOf(maxChars, capture);
  const head = headOf(text, half);
  const tail = tailOf(text, half);
  return joinAround(head, notice(`${text.length - head.length - tail.length} characters`, capture), tail);
}

/**
 * The notice about output from `start` to `end` that is missing between `head` and `tail`. The notice gives the size of
 * the missing part, in characters if counting them is cheap, else in bytes.
 */
export function omissionNotice(capture: CaptureFile, start: number, end: number, head: string, tail: string): string {
  if (end - start <= maxCountedBytes && capture.lostBytes === 0) {
    return notice(`${countChars(capture, start, end) - head.length - tail.length} characters`, capture);
  }
  return notice(
    `${end - start + capture.lostBytes - Buffer.byteLength(head) - Buffer.byteLength(tail)} bytes`,
    capture,
  );
}

/** Head, notice and tail, with the notice on its own line. */
export function joinAround(head: string, notice: string, tail: string): string {
  return `${head}${head === '' || head.endsWith('\n') ? '' : '\n'}${notice}\n${tail}`;
}

function notice(omitted: string, capture: KeptOutput): string {
  const place = capture.lostBytes === 0 ? 'full output' : 'beginning and end of the output';
  return `[${omitted} omitted; ${place}: ${capture.path}]`;
}

/**
 * The number of UTF-16 code units between two positions: two for a four-byte character, one for any other character.
 */
function countChars(capture: CaptureFile, start: number, end: number): number {
  let count = 0;
  for (let position = start; position < end; ) {
    const chunk = capture.read(position, Math.min(countChunkBytes, end - position));
    if (chunk.length === 0) break;
    for (const byte of chunk) count += (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
    position += chunk.length;
  }
  return count;
}

/** Removes secrets from a whole text, or from a text in arbitrary pieces. */
export type OutputScrubber = Pick<Scrubber, 'text' | 'stream'>;

/** A scrubber that changes nothing. */
export const noScrubber: OutputScrubber = {
  text: (text) => text,
  stream: () => ({ push: (chunk) => chunk, end: () => '' }),
};
