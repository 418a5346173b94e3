import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';

const maxSavedTailBytes = 1_048_576;
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
  #markLength = 0;
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

  /** Takes the middle out when the file has grown past its limit. */
  bound(): void {
    const size = this.size;
    if (size - this.#markLength <= this.#maxBytes) return;
    if (this.#headBytes === 0) this.#headBytes = this.#endOfCharacter(Math.floor(this.#maxBytes / 2));
    const fresh = size - this.#headBytes - this.#markLength;
    const kept = Math.min(fresh, Math.floor(this.#maxBytes / 4), maxSavedTailBytes);
    this.#savedTail = this.read(size - kept, kept);
    this.#lostBytes += fresh;
    this.#restart(this.#lostBytes);
  }

  /** After the command: puts the newest output back that the last cut took, so that the file ends as the output did. */
  finish(): void {
    this.bound();
    const saved = this.#savedTail;
    if (saved.length === 0) return;
    this.#savedTail = Buffer.alloc(0);
    const from = this.#headBytes + this.#markLength;
    const newest = this.read(from, this.size - from);
    if (newest.length >= saved.length) return;
    this.#lostBytes -= saved.length;
    this.#restart(this.#lostBytes);
    this.#append(dropPartialCharacter(saved));
    this.#append(newest);
  }

  /** Closes this side; processes that hold the file go on, and it is opened again for each read. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.fd);
  }

  #restart(lostBytes: number): void {
    ftruncateSync(this.fd, this.#headBytes);
    this.#cuts++;
    const mark = Buffer.from(`\n[${lostBytes} bytes omitted]\n`);
    this.#append(mark);
    this.#markLength = mark.length;
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
