import { StringDecoder } from 'node:string_decoder';
import { headOf } from '../../core/text/cut.js';
import { overwritesItsLine, splitOpenEnd, terminalText } from '../../core/text/terminal.js';
import type { OutputReader } from '../../ports/shell.js';
import type { CaptureFile } from './capture-file.js';
import {
  cutOutput,
  halfOf,
  insideOf,
  joinAround,
  omissionNotice,
  tailBytes,
  type ViewOptions,
  windowBytes,
} from './view.js';

/**
 * Reads a growing output file incrementally. An incomplete character, escape sequence or secret at the end of a read is
 * kept for the next read. If a piece exceeds the limit, its head and tail are returned, and the next read starts after
 * the piece.
 */
export class CaptureReader implements OutputReader {
  readonly #capture: CaptureFile;
  readonly #options: ViewOptions;
  #position = 0;
  #shift = 0;
  #decoder = new StringDecoder('utf8');
  #openEnd = '';
  #isInLine = false;
  /** An unfinished line up to this length is kept for the next read, because a carriage return may overwrite it. */
  #maxLineChars = 0;
  #hasEnded = false;
  #secrets: ReturnType<ViewOptions['scrubber']['stream']>;

  constructor(capture: CaptureFile, options: ViewOptions) {
    this.#capture = capture;
    this.#options = options;
    this.#secrets = options.scrubber.stream();
  }

  read(isComplete: boolean): string {
    const before = this.#passCut();
    const { size } = this.#capture;
    const half = halfOf(this.#options.maxChars, this.#capture);
    if (size - this.#position > 2 * windowBytes(half)) return before + this.#readEnds(size, half, isComplete);
    const bytes = this.#capture.read(this.#position, size - this.#position);
    this.#position += bytes.length;
    return cutOutput(before + this.#textOf(bytes, isComplete), this.#options, this.#capture);
  }

  /**
   * Returns the next lines, at most `maxBytes`. Unlike {@link read}, the method omits only output that was removed from
   * the file before reading. With `end`, the final size of the output, the method reads up to this position and then
   * returns undefined.
   */
  readLines(maxBytes: number, end?: number): string | undefined {
    this.#maxLineChars = 2 * windowBytes(halfOf(this.#options.maxChars, this.#capture));
    const before = this.#passCut();
    if (end !== undefined && this.#hasEnded) return undefined;
    const bytes = this.#capture.read(
      this.#position,
      Math.min(maxBytes, (end ?? Number.POSITIVE_INFINITY) - this.#position),
    );
    this.#position += bytes.length;
    this.#hasEnded = end !== undefined && (bytes.length === 0 || this.#position >= end);
    return before + this.#textOf(bytes, this.#hasEnded);
  }

  #readEnds(size: number, half: number, isComplete: boolean): string {
    const start = this.#position;
    const head = headOf(this.#textOf(this.#capture.read(start, windowBytes(half)), false), half);
    this.#restartAt(size);
    const tail = insideOf(this.#textOf(tailBytes(this.#capture, size, half), isComplete), half);
    return joinAround(head, omissionNotice(this.#capture, start, size, head, tail), tail);
  }

  #textOf(bytes: Buffer, isComplete: boolean): string {
    const raw = this.#openEnd + this.#decoder.write(bytes) + (isComplete ? this.#decoder.end() : '');
    const [text, openEnd] = isComplete ? [raw, ''] : this.#split(raw);
    this.#openEnd = openEnd;
    const safe = this.#secrets.push(terminalText(this.#continued(text)));
    if (!isComplete) return safe;
    const rest = this.#secrets.end();
    this.#secrets = this.#options.scrubber.stream();
    return safe + rest;
  }

  #split(raw: string): readonly [complete: string, open: string] {
    const lineStart = raw.lastIndexOf('\n') + 1;
    return raw.length - lineStart >= this.#maxLineChars
      ? splitOpenEnd(raw)
      : [raw.slice(0, lineStart), raw.slice(lineStart)];
  }

  // If the start of a line was already returned, text that overwrites the line is put on a new line.
  #continued(text: string): string {
    const startsAgain = this.#isInLine && overwritesItsLine(text);
    if (text !== '') this.#isInLine = !text.endsWith('\n');
    return startsAgain ? `\n${text}` : text;
  }

  #restartAt(position: number): void {
    this.#position = position;
    this.#openEnd = '';
    this.#decoder = new StringDecoder('utf8');
    this.#secrets = this.#options.scrubber.stream();
  }

  // Adjusts the position after the file was cut or truncated, because both move unread output towards the start. If
  // unread output is lost in a cut, reading continues at the omission notice.
  #passCut(): string {
    const { shift, headBytes, freshFrom, size } = this.#capture;
    const moved = this.#position - (shift - this.#shift);
    const wasCut = shift !== this.#shift && this.#position > headBytes;
    this.#shift = shift;
    if (wasCut && moved >= freshFrom && moved <= size) {
      this.#position = moved;
      return '';
    }
    if (!wasCut && size >= this.#position) return '';
    const held = this.#secrets.end();
    this.#restartAt(wasCut ? headBytes : 0);
    // `held` may be the first half of a secret whose second half is lost.
    return held.slice(0, held.lastIndexOf('\n') + 1);
  }
}
