import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ToolError } from '../core/error.js';

type Chunks = AsyncIterable<Uint8Array>;

/** Compressions one over the other; more are made to exhaust something. */
const maxCodings = 3;

// A body that ends early is read as far as it goes, as browsers do.
const zlibOptions = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotliOptions = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const decoders = new Map<string, (firstByte: number) => Transform>([
  ['gzip', () => createGunzip(zlibOptions)],
  ['x-gzip', () => createGunzip(zlibOptions)],
  ['br', () => createBrotliDecompress(brotliOptions)],
  // Some servers leave out the two bytes before the data, of which the first says so.
  ['deflate', (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate(zlibOptions) : createInflateRaw(zlibOptions))],
]);

/** How much of a body is wanted, and whether the rest is left out (`isCut`) or an error. */
export interface BodyBounds {
  readonly maxBytes: number;
  readonly isCut?: boolean;
}

/** Reads a body, decompressed as `contentEncoding` says, as far as the bounds let it; the rest is not asked for. */
export async function readBody(body: Chunks, contentEncoding: string | undefined, bounds: BodyBounds) {
  const { maxBytes, isCut = false } = bounds;
  let kept = new Uint8Array(0);
  let length = 0;
  for await (const chunk of decompressed(body, contentEncoding)) {
    const taken = chunk.subarray(0, maxBytes - length);
    // One growing array: millions of tiny chunks would each cost many times their size.
    if (length + taken.length > kept.length) {
      const larger = new Uint8Array(Math.max(length + taken.length, Math.min(maxBytes, kept.length * 2)));
      larger.set(kept.subarray(0, length));
      kept = larger;
    }
    kept.set(taken, length);
    length += taken.length;
    if (taken.length === chunk.length) continue;
    if (isCut) break;
    throw new ToolError('file_too_large', `The answer is larger than ${maxBytes} bytes. Fetch a smaller page.`);
  }
  return kept.slice(0, length);
}

/** The codings were applied in the order in which they stand there. */
function decompressed(body: Chunks, contentEncoding = ''): Chunks {
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase());
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity');
  return applied.reduceRight<Chunks>((source, coding) => {
    const decoder = decoders.get(coding);
    if (decoder === undefined || applied.length > maxCodings)
      throw new ToolError('http_error', 'The server answered in a coding that nobody asked for. Look elsewhere.');
    return decoded(source, decoder);
  }, body);
}

async function* decoded(source: Chunks, decoder: (firstByte: number) => Transform): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const stream = decoder(first.value[0] ?? 0);
  const whole = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  // What goes wrong on either side ends up in the loop below.
  pipeline(Readable.from(whole(), { highWaterMark: 1 }), stream, () => {});
  yield* stream;
}
