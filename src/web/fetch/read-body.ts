import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ToolError } from '../../core/error.js';
import { errorCode } from '../../core/support/os-error-code.js';

/** The maximum number of nested compressions; only zip bombs use more. */
const maxCodings = 3;

/** Makes a stream that decodes a body. */
type Decoder = (packed: Uint8Array) => Transform;

const codings = new Map<string, Decoder>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['br', () => createBrotliDecompress()],
  // Some servers send raw deflate without the two bytes of the zlib header; the first byte distinguishes the two forms.
  ['deflate', (packed) => (((packed[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw())],
]);

/** The size limit of a body, and whether a longer body is cut (`isCut`) or refused. */
interface BodyBounds {
  readonly maxBytes: number;
  readonly isCut?: boolean;
}

/** A decoded body; `endsEarly` says that its compressed data was truncated. */
interface ReadBody {
  readonly bytes: Uint8Array;
  readonly endsEarly: boolean;
}

/** Reads a body and decodes it by `contentEncoding`. The limit applies after decompression (zip bombs). */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined,
  bounds: BodyBounds,
): Promise<ReadBody> {
  const applied = codingsOf(contentEncoding);
  // Incompressible data is slightly larger in compressed form.
  const packed = { ...bounds, maxBytes: Math.ceil(bounds.maxBytes * 1.1) + 65_536 };
  let read: ReadBody = { bytes: await gathered(body, applied.length === 0 ? bounds : packed), endsEarly: false };
  for (const [index, coding] of applied.entries()) {
    const { bytes, endsEarly } = await unpacked(read.bytes, coding, index === applied.length - 1 ? bounds : packed);
    read = { bytes, endsEarly: read.endsEarly || endsEarly };
  }
  return read;
}

function codingsOf(contentEncoding = ''): readonly Decoder[] {
  const names = contentEncoding.split(',').map((name) => name.trim().toLowerCase());
  const applied = names.filter((name) => name !== '' && name !== 'identity').reverse();
  return applied.map((name) => {
    const coding = codings.get(name);
    if (coding === undefined || applied.length > maxCodings)
      throw new ToolError(
        'http_error',
        `Unsupported Content-Encoding ${JSON.stringify(contentEncoding.slice(0, 40))}. Try another URL.`,
      );
    return coding;
  });
}

async function unpacked(packed: Uint8Array, decoder: Decoder, bounds: BodyBounds): Promise<ReadBody> {
  if (packed.length === 0) return { bytes: packed, endsEarly: false };
  let endsEarly = false;
  const decoded = async function* () {
    const stream = decoder(packed);
    // The stream is ended only after the data is decoded: otherwise the last part of truncated data would be lost.
    stream.write(packed, () => void stream.end());
    try {
      yield* stream as AsyncIterable<Uint8Array>;
    } catch (error) {
      endsEarly = errorCode(error) === 'Z_BUF_ERROR';
      const message = `The compressed response is damaged (${errorCode(error)}). Try again later, or use another source.`;
      if (!endsEarly) throw new ToolError('http_error', message, { cause: error });
    }
  };
  const bytes = await gathered(decoded(), bounds);
  return { bytes, endsEarly };
}

function tooLarge(maxBytes: number): ToolError {
  return new ToolError('file_too_large', `The response is larger than ${maxBytes} bytes. Fetch a smaller page.`);
}

async function gathered(body: AsyncIterable<Uint8Array>, bounds: BodyBounds): Promise<Uint8Array> {
  const { maxBytes, isCut = false } = bounds;
  let kept = new Uint8Array(0);
  let length = 0;
  for await (const chunk of body) {
    const taken = chunk.subarray(0, maxBytes - length);
    const needed = length + taken.length;

    // One growing array: a list of chunks would need much more memory than the data if the chunks are tiny.
    if (needed > kept.length) {
      const larger = new Uint8Array(Math.max(needed, Math.min(maxBytes, kept.length * 2)));
      larger.set(kept.subarray(0, length));
      kept = larger;
    }
    kept.set(taken, length);
    length = needed;
    if (taken.length < chunk.length && !isCut) throw tooLarge(maxBytes);
    if (taken.length < chunk.length) break;
  }
  return kept.slice(0, length);
}
