import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ToolError } from '../../core/error.js';

/** The maximum number of nested compressions; only zip bombs use more. */
const maxCodings = 3;

// The decoders flush after each chunk, so that the decoded part is available if the rest of the data is missing.
const zlibOptions = { flush: constants.Z_SYNC_FLUSH, chunkSize: 65_536 };
const brotliOptions = { flush: constants.BROTLI_OPERATION_FLUSH, chunkSize: 65_536 };

/** The number of bytes that are unpacked at a time. For a damaged piece the decoder returns nothing. */
const pieceBytes = 16_384;

type MakeDecoder = (firstByte: number) => Transform;

const decoders = new Map<string, MakeDecoder>([
  ['gzip', () => createGunzip(zlibOptions)],
  ['x-gzip', () => createGunzip(zlibOptions)],
  ['br', () => createBrotliDecompress(brotliOptions)],
  // Some servers send raw deflate without the two bytes of the zlib header; the first byte tells.
  ['deflate', (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate(zlibOptions) : createInflateRaw(zlibOptions))],
]);

/** The size limit of a body, and whether a longer body is cut (`isCut`) or an error. */
export interface BodyBounds {
  readonly maxBytes: number;
  readonly isCut?: boolean;
}

/** A decoded body; `endsEarly` says that its compressed data was truncated or damaged. */
export interface ReadBody {
  readonly bytes: Uint8Array;
  readonly endsEarly: boolean;
}

/** Reads a body and decodes it by `contentEncoding`, up to the limit after decompression (zip bombs). */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined,
  bounds: BodyBounds,
): Promise<ReadBody> {
  const codings = codingsOf(contentEncoding);
  // Incompressible data grows a little.
  const packed = { ...bounds, maxBytes: Math.ceil(bounds.maxBytes * 1.1) + 65_536 };
  const gathered = new Gathered(codings.length === 0 ? bounds : packed);
  for await (const chunk of body) if (!gathered.add(chunk)) break;
  let read: ReadBody = { bytes: gathered.bytes, endsEarly: false };
  for (const [index, decoder] of codings.entries()) {
    const { bytes, endsEarly } = await unpacked(read.bytes, decoder, index === codings.length - 1 ? bounds : packed);
    read = { bytes, endsEarly: read.endsEarly || endsEarly };
  }
  return read;
}

/** The decoders, last coding first. */
function codingsOf(contentEncoding = ''): readonly MakeDecoder[] {
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase());
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity').reverse();
  return applied.map((coding) => {
    const decoder = decoders.get(coding);
    if (decoder === undefined || applied.length > maxCodings)
      throw new ToolError(
        'http_error',
        `Unsupported Content-Encoding ${JSON.stringify(contentEncoding.slice(0, 40))}. Try another URL.`,
      );
    return decoder;
  });
}

/** Unpacks a body. From `fineFrom` on it reads byte by byte, to get everything before the damage in a piece. */
function unpacked(
  packed: Uint8Array,
  decoder: MakeDecoder,
  bounds: BodyBounds,
  fineFrom = Number.POSITIVE_INFINITY,
): Promise<ReadBody> {
  if (packed.length === 0) return Promise.resolve({ bytes: packed, endsEarly: false });
  const gathered = new Gathered(bounds);
  const stream = decoder(packed[0] ?? 0);
  let at = 0;
  const write = () => {
    const start = at;
    at += start >= fineFrom ? 1 : pieceBytes;
    if (start < packed.length) stream.write(packed.subarray(start, at), (error) => error ?? write());
    else stream.end();
  };
  return new Promise((resolve, reject) => {
    const end = (endsEarly: boolean) => resolve({ bytes: gathered.bytes, endsEarly });
    stream.on('data', (chunk: Uint8Array) => {
      try {
        if (gathered.add(chunk)) return;
        end(false);
        stream.destroy();
      } catch (error) {
        stream.destroy(error as Error);
      }
    });
    stream.on('end', () => end(false));
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (ToolError.is(error)) reject(error);
      else if (error.code === 'Z_BUF_ERROR') end(true);
      else if (at > fineFrom) {
        // After the end of gzip data only another gzip header matters; any other bytes are ignored.
        if (gathered.bytes.length > 0) end(error.message !== 'incorrect header check');
        else reject(undecodable(error));
      } else resolve(unpacked(packed, decoder, bounds, at - pieceBytes));
    });
    write();
  });
}

function undecodable(cause: NodeJS.ErrnoException): ToolError {
  const message = `The compressed response is damaged (${cause.code}). Try again later, or use another source.`;
  return new ToolError('http_error', message, { cause });
}

/** Collects chunks up to a limit. */
class Gathered {
  readonly #bounds: BodyBounds;
  #kept = new Uint8Array(0);
  #length = 0;

  constructor(bounds: BodyBounds) {
    this.#bounds = bounds;
  }

  get bytes(): Uint8Array {
    return this.#kept.slice(0, this.#length);
  }

  /** Adds a chunk; false when the limit is reached. */
  add(chunk: Uint8Array): boolean {
    const { maxBytes, isCut = false } = this.#bounds;
    const taken = chunk.subarray(0, maxBytes - this.#length);
    const length = this.#length + taken.length;
    // One growing array: millions of tiny chunks would each take many times their size.
    if (length > this.#kept.length) {
      const larger = new Uint8Array(Math.max(length, Math.min(maxBytes, this.#kept.length * 2)));
      larger.set(this.#kept.subarray(0, this.#length));
      this.#kept = larger;
    }
    this.#kept.set(taken, this.#length);
    this.#length = length;
    if (taken.length < chunk.length && !isCut)
      throw new ToolError('file_too_large', `The response is larger than ${maxBytes} bytes. Fetch a smaller page.`);
    return taken.length === chunk.length;
  }
}
