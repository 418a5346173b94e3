import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';

const maxSavedTailBytes = 1_048_576;
const markBytes = 40;
const maxCharacterBytes = 4;

/**
 * The file that takes the output of one command: its processes append, this side reads.
 * Past `maxBytes` the middle is taken out in place while they go on: the first half stays, a line says how much is missing, and the newest output follows.
 */
export class CaptureFile {
  readonly path: string;
  readonly fd: number;
  readonly #maxBytes: number;
  #headBytes = 0;
  #lostBytes = 0;
  #cuts = 0;
  #freshFrom = 0;
  #seenBytes = 0;
  #wasEmptied = false;
  #marker: number | undefined;
  #savedTail: Buffer = Buffer.alloc(0);
  #isOpen = true;

  constructor(file: { readonly path: string; readonly fd: number }, maxBytes: number) {
    this.path = file.path;
    this.fd = file.fd;
    this.#maxBytes = maxBytes;
  }

  /** Bytes in the file now. */
  get size(): number {
    return this.#isOpen ? fstatSync(this.fd).size : (statSync(this.path, { throwIfNoEntry: false })?.size ?? 0);
  }

  /** How often something was taken out; when it changes, bytes behind {@link headBytes} have moved. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Bytes that were taken out of the middle. */
  get lostBytes(): number {
    return this.#lostBytes;
  }

  /** Where the first part ends when something was taken out, else 0. It never moves. */
  get headBytes(): number {
    return this.#headBytes;
  }

  /** True when it was seen that the command itself emptied the file, by opening `/dev/stdout` or the like for writing. */
  get wasEmptied(): boolean {
    return this.#wasEmptied;
  }

  /** Up to `length` bytes from `position`; none when the file is gone. */
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

  /** Takes the middle out when the file has grown past its limit. What is written at this very moment goes uncounted. */
  bound(): void {
    const { size } = this;
    if (size < this.#seenBytes) this.#wasEmptied = true;
    this.#seenBytes = size;
    if (size - markBytes <= this.#maxBytes) return;
    if (this.#headBytes === 0) this.#beginCutting();
    const kept = Math.min(size - this.#freshFrom, Math.floor(this.#maxBytes / 4), maxSavedTailBytes);
    this.#savedTail = dropPartialCharacter(this.read(size - kept, kept));
    this.#lostBytes += this.size - this.#freshFrom;
    this.#cut();
  }

  /** After the command: puts the newest output back that the last cut took, so that the file ends as the output did. */
  finish(): void {
    this.bound();
    const saved = this.#savedTail;
    if (saved.length === 0 || this.size < this.#freshFrom) return;
    this.#savedTail = Buffer.alloc(0);
    const newest = this.read(this.#freshFrom, this.size - this.#freshFrom);
    if (newest.length >= saved.length) return;
    this.#lostBytes -= saved.length;
    this.#cut();
    this.#append(saved);
    this.#append(newest);
  }

  /** Closes this side; processes that hold the file go on, and it is opened again for each read. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.fd);
    if (this.#marker !== undefined) closeSync(this.#marker);
  }

  // The line that tells of the cut takes the place of the first bytes behind the head; those count as lost.
  #beginCutting(): void {
    this.#headBytes = this.#endOfCharacter(Math.floor(this.#maxBytes / 2));
    this.#freshFrom = this.#headBytes + markBytes;
    this.#lostBytes = markBytes;
    this.#marker = openSync(this.path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  }

  // Writing at a fixed place, through a descriptor that does not append, cannot fall among what the command appends meanwhile.
  #cut(): void {
    ftruncateSync(this.fd, this.#freshFrom);
    this.#seenBytes = this.#freshFrom;
    this.#cuts++;
    const mark = `\n[${this.#lostBytes} bytes omitted]`.padEnd(markBytes - 1).slice(0, markBytes - 1);
    if (this.#marker !== undefined) writeSync(this.#marker, `${mark}\n`, this.#headBytes, 'latin1');
  }

  #append(bytes: Buffer): void {
    for (let written = 0; written < bytes.length; ) written += writeSync(this.fd, bytes, written);
  }

  #endOfCharacter(position: number): number {
    const start = Math.max(0, position - maxCharacterBytes);
    const bytes = this.read(start, position - start);
    for (let back = 1; back <= bytes.length; back++) {
      const byte = bytes[bytes.length - back] ?? 0;
      if (byte < 0x80) return position;
      if (byte >= 0xc0) return byteLength(byte) > back ? position - back : position;
    }
    return position;
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

/** Length of the UTF-8 sequence that begins with `lead`. */
function byteLength(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

/** Cuts bytes of a character that began before. */
export function dropPartialCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < Math.min(bytes.length, maxCharacterBytes - 1) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}
