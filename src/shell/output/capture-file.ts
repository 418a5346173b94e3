import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { shellNumbers } from '../../core/fixed-limits.js';
import { cutContextBytes, safeCut } from './cut-outside-secrets.js';

const markBytes = 40;
const maxReads = 8;
const newline = 0x0a;

/**
 * The output file of one command. The processes of the command append to the file; this class reads it. Beyond
 * `maxBytes`, the middle of the file is removed in place while the processes run. The file then contains the first
 * half, a line with the number of omitted bytes (the omission notice), and the newest output. No cut splits a secret
 * that `scrub` finds.
 */
export class CaptureFile {
  readonly path: string;
  readonly fd: number;
  readonly #maxBytes: number;
  readonly #scrub: (text: string) => string;
  #headBytes = 0;
  #lostBytes = 0;
  #shift = 0;
  #freshFrom = 0;
  #seenBytes = 0;
  #seam: { readonly from: number; readonly to: number } | undefined;
  #wasEmptied = false;
  #marker: number | undefined;
  #isOpen = true;

  constructor(
    file: { readonly path: string; readonly fd: number },
    maxBytes: number,
    scrub: (text: string) => string = (text) => text,
  ) {
    this.path = file.path;
    this.fd = file.fd;
    this.#maxBytes = maxBytes;
    this.#scrub = scrub;
  }

  /** Bytes in the file now. */
  get size(): number {
    return this.#isOpen ? fstatSync(this.fd).size : (statSync(this.path, { throwIfNoEntry: false })?.size ?? 0);
  }

  /**
   * The total number of bytes by which cuts have moved the newest output towards the start. A cut that lost unread
   * output increases the number further, so that readers continue at the omission notice.
   */
  get shift(): number {
    return this.#shift;
  }

  /** Start of the newest output; 0 if nothing was removed. */
  get freshFrom(): number {
    return this.#freshFrom;
  }

  /** Bytes removed from the middle. */
  get lostBytes(): number {
    return this.#lostBytes;
  }

  /** End of the first part if something was removed, else 0. This position never moves. */
  get headBytes(): number {
    return this.#headBytes;
  }

  /** Whether a truncation of the file was detected: the command opened `/dev/stdout` or a similar name for writing. */
  get wasEmptied(): boolean {
    return this.#wasEmptied;
  }

  /** Up to `length` bytes from `position`; no bytes if the file is gone. */
  read(position: number, length: number): Buffer {
    if (length <= 0) return Buffer.alloc(0);
    if (this.#isOpen) return readFully(this.fd, position, length);
    try {
      const again = openSync(this.path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      try {
        return readFully(again, position, length);
      } finally {
        closeSync(again);
      }
    } catch {
      return Buffer.alloc(0);
    }
  }

  /**
   * Removes the middle when the file exceeds its limit. Bytes that are written during the cut are lost with the middle.
   */
  bound(): void {
    const { size } = this;
    if (size < this.#seenBytes) this.#noteEmptied();
    this.#seenBytes = size;
    this.#mendSeam(size);
    if (size - markBytes <= this.#maxBytes) return;
    if (this.#marker === undefined) this.#beginCutting(size);
    const { tail, end, hasStoppedGrowing } = this.#newestOf(size);
    this.#cut(hasStoppedGrowing ? tail : tail.subarray(0, tail.lastIndexOf(newline) + 1), end);
    if (hasStoppedGrowing) return;
    this.#seam = { from: this.#seenBytes, to: this.#seenBytes + cutContextBytes };
    // A reader must not continue across a gap.
    this.#shift += end;
  }

  /** Closes the descriptor. The processes keep their own descriptors, and later reads open the file again. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.fd);
    if (this.#marker !== undefined) closeSync(this.#marker);
  }

  #beginCutting(size: number): void {
    this.#marker = openSync(this.path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
    this.#headBytes = this.#safeCut(Math.floor(this.#maxBytes / 2), -1, size) ?? 0;
    this.#freshFrom = this.#headBytes;
  }

  // Reads until the file stops growing. Each read is shorter than the one before, so few bytes are written, and lost,
  // between the last read and the cut.
  #newestOf(size: number): { readonly tail: Buffer; readonly end: number; readonly hasStoppedGrowing: boolean } {
    const pieces = [this.#tailOf(size)];
    const furthest = size + Math.floor(this.#maxBytes / 4);
    let end = size;
    for (let read = 0; read < maxReads; read++) {
      const grown = this.size;
      if (grown === end) return { tail: Buffer.concat(pieces), end, hasStoppedGrowing: true };
      const piece = this.read(end, Math.min(grown, furthest) - end);
      pieces.push(piece);
      end += piece.length;
    }
    return { tail: Buffer.concat(pieces), end, hasStoppedGrowing: this.size === end };
  }

  /** The newest output, from the start of a line if a line starts nearby. */
  #tailOf(size: number): Buffer {
    const wanted = size - Math.min(size - this.#freshFrom, Math.floor(this.#maxBytes / 4), shellNumbers.maxTailBytes);
    const start = this.#safeCut(wanted, 1, size) ?? size;
    return this.read(start, size - start);
  }

  /** The position nearest to `wanted` at which a cut splits no secret. */
  #safeCut(wanted: number, direction: 1 | -1, size: number): number | undefined {
    const start = Math.max(0, wanted - cutContextBytes);
    const bytes = this.read(start, Math.min(size, wanted + cutContextBytes) - start);
    const reach = Math.min(Math.floor(this.#maxBytes / 8), cutContextBytes);
    const furthest = Math.min(bytes.length, Math.max(0, wanted - start + direction * reach));
    const at = safeCut(bytes, { wanted: wanted - start, furthest, scrub: this.#scrub });
    return at === undefined ? undefined : start + at;
  }

  // The notice and the tail are written at a fixed position, through a descriptor without O_APPEND. Output that the
  // command appends cannot interleave with them.
  #cut(tail: Buffer, size: number): void {
    // Output written after the last read is removed with the middle.
    this.#lostBytes += Math.max(size, this.size) - this.#freshFrom - tail.length;
    this.#freshFrom = this.#headBytes + markBytes;
    const end = this.#freshFrom + tail.length;
    ftruncateSync(this.fd, end);
    this.#shift += size - end;
    this.#seenBytes = end;
    const mark = `\n[${this.#lostBytes} bytes omitted]`.padEnd(markBytes - 1).slice(0, markBytes - 1);
    this.#overwrite(Buffer.concat([Buffer.from(`${mark}\n`, 'latin1'), tail]), this.#headBytes);
  }

  // Output written between reading and cutting is lost. The lost output may end in the middle of a line, so the rest of
  // that line is overwritten with blanks.
  #mendSeam(size: number): void {
    if (this.#seam === undefined || size <= this.#seam.from) return;
    const { from, to } = this.#seam;
    const bytes = this.read(from, Math.min(size, to) - from);
    const end = bytes.indexOf(newline);
    const rest = from + bytes.length;
    this.#seam = end >= 0 || rest >= to ? undefined : { from: rest, to };
    this.#overwrite(Buffer.alloc(end >= 0 ? end : bytes.length, ' '), from);
  }

  #noteEmptied(): void {
    this.#wasEmptied = true;
    this.#seam = undefined;
  }

  #overwrite(bytes: Buffer, position: number): void {
    if (this.#marker === undefined) return;
    for (let written = 0; written < bytes.length; )
      written += writeSync(this.#marker, bytes, written, bytes.length - written, position + written);
  }
}

function readFully(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const got = readSync(fd, buffer, filled, length - filled, position + filled);
    if (got === 0) break;
    filled += got;
  }
  return buffer.subarray(0, filled);
}
