import type { Span } from '../match/exact.js';
import type { YieldToLoop } from '../match/line-counter.js';

/** A range of bytes and the bytes that come in its place. */
export interface Replacement extends Span {
  readonly bytes: Buffer;
}

// Up to here each range stays a slice of the file. To handle more of them costs more than to copy what is small.
const maxApart = 256;
const blockBytes = 65_536;
const maxCopiedBytes = 16_384;
const yieldEvery = 1_024;

/**
 * The file, or the part of it that is meant, in slices: untouched ranges as they stand, and the replacements between
 * them, which must be in order and apart. Where there are many, those that are small come copied together into blocks
 * of 64 KB.
 */
export async function splice(
  bytes: Buffer,
  replacements: readonly Replacement[],
  yieldToLoop: YieldToLoop = async () => {},
  part: Span = { start: 0, end: bytes.length },
): Promise<Buffer[]> {
  const slices: Buffer[] = [];
  const joined = replacements.length > maxApart ? new JoinedSlices(slices) : undefined;
  const put = joined === undefined ? (slice: Buffer) => slices.push(slice) : (slice: Buffer) => joined.add(slice);
  let at = part.start;
  for (const [index, { start, end, bytes: inserted }] of replacements.entries()) {
    put(bytes.subarray(at, start));
    put(inserted);
    at = end;
    if (index % yieldEvery === yieldEvery - 1) await yieldToLoop();
  }
  put(bytes.subarray(at, part.end));
  joined?.end();
  return slices.filter((slice) => slice.length > 0);
}

class JoinedSlices {
  readonly #slices: Buffer[];
  #block: Buffer = Buffer.alloc(0);
  #from = 0;
  #used = 0;

  constructor(slices: Buffer[]) {
    this.#slices = slices;
  }

  add(slice: Buffer): void {
    if (slice.length > maxCopiedBytes) {
      this.end();
      this.#slices.push(slice);
      return;
    }
    if (this.#used + slice.length > this.#block.length) {
      this.end();
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
      [this.#from, this.#used] = [0, 0];
    }
    this.#used += slice.copy(this.#block, this.#used);
  }

  end(): void {
    this.#slices.push(this.#block.subarray(this.#from, this.#used));
    this.#from = this.#used;
  }
}
