/** Counts line feeds in its own block of memory. */
export interface LineFeedCounter {
  /** The memory of the counter. The caller writes the bytes to be counted into it. */
  readonly memory: Buffer;
  count(from: number, until: number): number;
}

interface Program {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Counts in a range whose length is a multiple of 16 bytes. */
  readonly count: (from: number, until: number) => number;
}

interface Engine {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Program };
}

const lineFeed = 10;
const stepBytes = 16;
const pages = 4;

/** A counter that compares sixteen bytes at a time, several times faster than a search; undefined without SIMD. */
export function lineFeedCounter(
  engine = (globalThis as { readonly WebAssembly?: Engine }).WebAssembly,
): LineFeedCounter | undefined {
  if (engine === undefined) return undefined;
  try {
    const program = new engine.Instance(new engine.Module(programCode())).exports;
    return counterOf(program, Buffer.from(program.memory.buffer));
  } catch {
    // SIMD or address space is not available.
    return undefined;
  }
}

// The size from which a counter is faster.
const manyBytes = 2_097_152;

export function countLineFeeds(bytes: Buffer): number {
  const counter = bytes.length < manyBytes ? undefined : lineFeedCounter();
  let count = 0;
  if (counter === undefined) {
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count++;
    return count;
  }
  for (let at = 0; at < bytes.length; at += counter.memory.length)
    count += counter.count(0, bytes.copy(counter.memory, 0, at));
  return count;
}

function counterOf(program: Program, memory: Buffer): LineFeedCounter {
  return {
    memory,
    count(from, until) {
      const rest = (until - from) % stepBytes;
      const whole = until - rest;
      let found = whole > from ? program.count(from, whole) : 0;
      for (let at = whole; at < until; at++) if (memory[at] === lineFeed) found++;
      return found;
    },
  };
}

/**
 * A module in the binary format of WebAssembly (webassembly.github.io/spec, "Binary Format"), written instruction by
 * instruction. The module has a memory of four pages and a function `count`, which counts the line feeds in each block
 * of sixteen bytes.
 */
function programCode(): Uint8Array {
  const [from, until, found] = [0, 1, 2];
  const [i32, emptyBlock, function_, memory] = [0x7f, 0x40, 0x00, 0x02];
  const body = [
    ...[1, 1, i32], // One more local: found.
    ...[0x03, emptyBlock], // loop
    ...[0x20, found], // local.get found
    ...[0x20, from], // local.get from
    ...[0xfd, 0x00, 0, 0], // v128.load align=1 offset=0
    ...[0x41, lineFeed], // i32.const 10
    ...[0xfd, 0x0f], // i8x16.splat
    ...[0xfd, 0x23], // i8x16.eq
    ...[0xfd, 0x64], // i8x16.bitmask
    0x69, // i32.popcnt
    0x6a, // i32.add
    ...[0x21, found], // local.set found
    ...[0x20, from], // local.get from
    ...[0x41, stepBytes], // i32.const 16
    0x6a, // i32.add
    ...[0x22, from], // local.tee from
    ...[0x20, until], // local.get until
    0x49, // i32.lt_u
    ...[0x0d, 0], // br_if: repeat the loop
    0x0b, // end of the loop
    ...[0x20, found], // local.get found
    0x0b, // end of the function
  ];
  return Uint8Array.from([
    ...[0x00, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(1, [1, 0x60, 2, i32, i32, 1, i32]), // One type: (i32, i32) -> i32.
    ...section(3, [1, 0]), // One function of this type.
    ...section(5, [1, 1, pages, pages]), // One memory that does not grow.
    ...section(7, [2, ...name('memory'), memory, 0, ...name('count'), function_, 0]),
    ...section(10, [1, body.length, ...body]),
  ]);
}

/** Every length is below 128, so one byte encodes it. */
function section(id: number, content: readonly number[]): number[] {
  return [id, content.length, ...content];
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}
