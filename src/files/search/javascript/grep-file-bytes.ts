/** A block of memory that is used for one file after the other and grows with the longest line. */
export class ReadBuffer {
  bytes = Buffer.allocUnsafeSlow(1_048_576);

  /** Doubles the block and keeps its content. */
  grow(): void {
    const larger = Buffer.allocUnsafeSlow(this.bytes.length * 2);
    this.bytes.copy(larger);
    this.bytes = larger;
  }

  /** Gives back what an extraordinary file took. */
  reset(): void {
    if (this.bytes.length > 16_777_216) this.bytes = Buffer.allocUnsafeSlow(1_048_576);
  }
}

/** ripgrep looks for zero bytes block by block, where what is left of a line belongs to the next block. */
export const blockBytes = 65_536;

/**
 * Fills `buffer` from `offset` on with up to `length` bytes that stand at `position`, and answers how many; fewer only
 * at the end.
 */
export type ReadBytes = (buffer: Buffer, offset: number, length: number, position: number) => number;

/** The bytes of a file, of which a window is in memory. */
export class FileBytes {
  readonly #read: ReadBytes;
  readonly #buffer: ReadBuffer;
  #filled = 0;
  #windowAt = 0;
  #zeroAt = -1;
  #isAtEnd = false;
  #blockEnd = 0;
  #blockBytes = blockBytes;
  #textEnd = 0;

  constructor(read: ReadBytes, buffer: ReadBuffer) {
    this.#read = read;
    this.#buffer = buffer;
  }

  /** The window reaches the end of the file. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** Offset in the file of the first zero byte that was found, or -1. */
  get zeroAt(): number {
    return this.#zeroAt;
  }

  /** The window from `from` on. */
  view(from: number): Buffer {
    return this.#buffer.bytes.subarray(from, this.#filled);
  }

  /**
   * Reads on until the buffer is full or the file ends. A regular file gives less than was asked for only at its end.
   */
  fill(): void {
    if (this.#filled === this.#buffer.bytes.length) this.#buffer.grow();
    const wanted = this.#buffer.bytes.length - this.#filled;
    const count = this.#read(this.#buffer.bytes, this.#filled, wanted, this.#windowAt + this.#filled);
    this.#filled += count;
    this.#isAtEnd = count < wanted;
  }

  /** Reads the whole file; false when it is larger than `maxBytes`. */
  fillAll(maxBytes: number): boolean {
    while (!this.#isAtEnd) {
      if (this.#filled > maxBytes) return false;
      this.fill();
    }
    return this.#filled <= maxBytes;
  }

  /** Forgets what stands before `from`. */
  keepFrom(from: number): void {
    this.#buffer.bytes.copyWithin(0, from, this.#filled);
    this.#filled -= from;
    this.#windowAt += from;
  }

  /** Whether a zero byte has come up so far. */
  findZero(from: number): boolean {
    if (this.#zeroAt !== -1) return true;
    const zero = this.view(from).indexOf(0);
    if (zero !== -1) this.#zeroAt = this.#windowAt + from + zero;
    if (this.#blockEnd === 0) this.#beginBlocks(from);
    this.#passBlocks(zero === -1 ? this.#windowAt + this.#filled : this.#zeroAt);
    return zero !== -1;
  }

  /** Where the last whole line ends that ripgrep searches before it sees the zero byte. */
  get textEnd(): number {
    return Math.max(0, this.#textEnd - this.#windowAt);
  }

  /** The first block begins behind a byte order mark. */
  #beginBlocks(start: number): void {
    this.#textEnd = start;
    this.#blockEnd = start + this.#blockBytes;
  }

  /**
   * Moves on to the block that holds the byte at `position`. A block without a line end is read on in one three times
   * as large.
   */
  #passBlocks(position: number): void {
    while (this.#blockEnd <= position) {
      const lineEnd = this.#windowAt + this.#buffer.bytes.lastIndexOf(10, this.#blockEnd - this.#windowAt - 1) + 1;
      if (lineEnd > this.#textEnd) this.#textEnd = lineEnd;
      else this.#blockBytes *= 3;
      this.#blockEnd = this.#textEnd + this.#blockBytes;
    }
  }

  /** Makes every zero byte of the window a line feed. */
  replaceZeros(): void {
    const bytes = this.view(0);
    for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) bytes[at] = 10;
  }

  /**
   * Where the last whole line of the window ends. As long as there is no zero byte, one in the block that is not yet
   * whole may make its lines those of a binary file.
   */
  wholeLines(from: number): number {
    if (this.#isAtEnd) return this.#filled;
    if (this.#zeroAt === -1) return Math.max(from, this.textEnd);
    const last = this.view(from).lastIndexOf(10);
    return last === -1 ? from : from + last + 1;
  }
}
