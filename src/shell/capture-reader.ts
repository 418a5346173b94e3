import { StringDecoder } from 'node:string_decoder';
import type { OutputReader } from '../host/shell.js';
import type { CaptureFile } from './capture-file.js';
import { headOf } from './cut-text.js';
import { cutMiddle, halfOf, insideOf, joinAround, missing, tailBytes, type ViewOptions, windowBytes } from './output-view.js';
import { splitOpenEnd, terminalText } from './terminal-text.js';

/**
 * Reads a growing file of output piece by piece. Characters, escape sequences and secrets that stand across two pieces come out whole or not at all.
 * A piece that is longer than the limit is shown as head and tail, and reading goes on behind it.
 */
export class CaptureReader implements OutputReader {
  readonly #capture: CaptureFile;
  readonly #options: ViewOptions;
  #position = 0;
  #cuts = 0;
  #decoder = new StringDecoder('utf8');
  #openEnd = '';
  #isInLine = false;
  #secrets: ReturnType<ViewOptions['scrubber']['stream']>;

  constructor(capture: CaptureFile, options: ViewOptions) {
    this.#capture = capture;
    this.#options = options;
    this.#secrets = options.scrubber.stream();
  }

  read(isComplete: boolean): string {
    const { maxChars } = this.#options;
    const before = this.#passCut();
    const { size } = this.#capture;
    const half = halfOf(maxChars, this.#capture);
    if (size - this.#position > 2 * windowBytes(half)) return before + this.#readEnds(size, half, isComplete);
    const bytes = this.#capture.read(this.#position, size - this.#position);
    this.#position += bytes.length;
    return cutMiddle(before + this.#take(bytes, isComplete), maxChars, this.#capture);
  }

  #readEnds(size: number, half: number, isComplete: boolean): string {
    const start = this.#position;
    const head = headOf(this.#take(this.#capture.read(start, windowBytes(half)), false), half);
    this.#restartAt(size);
    const tail = insideOf(this.#take(tailBytes(this.#capture, size, half), isComplete), half);
    return joinAround(head, missing(this.#capture, start, size, head, tail), tail);
  }

  #take(bytes: Buffer, isComplete: boolean): string {
    const raw = this.#openEnd + this.#decoder.write(bytes) + (isComplete ? this.#decoder.end() : '');
    const [text, openEnd] = isComplete ? [raw, ''] : splitOpenEnd(raw);
    this.#openEnd = openEnd;
    const safe = this.#secrets.push(terminalText(this.#continued(text)));
    if (!isComplete) return safe;
    const rest = this.#secrets.end();
    this.#secrets = this.#options.scrubber.stream();
    return safe + rest;
  }

  // A line that goes back to its start writes over what was shown of it already.
  #continued(text: string): string {
    const isOver = this.#isInLine && text.startsWith('\r') && !text.startsWith('\r\n');
    if (text !== '') this.#isInLine = !text.endsWith('\n');
    return isOver ? `\n${text}` : text;
  }

  #restartAt(position: number): void {
    this.#position = position;
    this.#openEnd = '';
    this.#decoder = new StringDecoder('utf8');
    this.#secrets = this.#options.scrubber.stream();
  }

  // The middle of the file was taken out since the last call, or the command emptied it: go on where the newest output begins.
  #passCut(): string {
    const wasCut = this.#cuts !== this.#capture.cuts && this.#position > this.#capture.headBytes;
    const wasEmptied = this.#capture.size < this.#position;
    this.#cuts = this.#capture.cuts;
    if (!wasCut && !wasEmptied) return '';
    const held = this.#secrets.end();
    this.#restartAt(wasCut ? this.#capture.headBytes : 0);
    return held;
  }
}
