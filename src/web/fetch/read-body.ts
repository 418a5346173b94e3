import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { ToolError } from '../../core/error.js';

/** The maximum number of nested compressions; only zip bombs use more. */
const maxCodings = 3;

/** If only the beginning of a compressed body is needed, it is decoded up to this decoded size and then cut. */
const maxCutBytes = 10_000_000;

type Decode = (packed: Uint8Array, options: ZlibOptions) => Promise<Uint8Array>;

interface Coding {
  readonly decode: Decode;
  /** The flush value with which truncated data is decoded as far as possible. */
  readonly finishFlush: number;
}

const gzip: Coding = {
  decode: promisify<Uint8Array, ZlibOptions, Uint8Array>(gunzip),
  finishFlush: constants.Z_SYNC_FLUSH,
};
const [zlibFormat, rawFormat] = [promisify(inflate), promisify(inflateRaw)];

const codings = new Map<string, Coding>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['br', { decode: promisify(brotliDecompress), finishFlush: constants.BROTLI_OPERATION_FLUSH }],
  // Some servers send raw deflate without the two bytes of the zlib header; the first byte distinguishes the two forms.
  [
    'deflate',
    {
      decode: (packed, options) => (((packed[0] ?? 0) & 0x0f) === 8 ? zlibFormat : rawFormat)(packed, options),
      finishFlush: constants.Z_SYNC_FLUSH,
    },
  ],
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
  // Compression makes incompressible data slightly larger.
  const packed = { ...bounds, maxBytes: Math.ceil(bounds.maxBytes * 1.1) + 65_536 };
  let read: ReadBody = { bytes: await gathered(body, applied.length === 0 ? bounds : packed), endsEarly: false };
  for (const [index, coding] of applied.entries()) {
    const { bytes, endsEarly } = await unpacked(read.bytes, coding, index === applied.length - 1 ? bounds : packed);
    read = { bytes, endsEarly: read.endsEarly || endsEarly };
  }
  return read;
}

function codingsOf(contentEncoding = ''): readonly Coding[] {
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

async function unpacked(packed: Uint8Array, { decode, finishFlush }: Coding, bounds: BodyBounds): Promise<ReadBody> {
  if (packed.length === 0) return { bytes: packed, endsEarly: false };
  const { maxBytes, isCut = false } = bounds;
  const options = { maxOutputLength: isCut ? Math.max(maxBytes, maxCutBytes) : maxBytes };
  let endsEarly = false;
  try {
    const bytes = await decode(packed, options).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'Z_BUF_ERROR') throw error;
      endsEarly = true;
      return decode(packed, { ...options, finishFlush });
    });
    return { bytes: bytes.subarray(0, maxBytes), endsEarly: endsEarly && bytes.length <= maxBytes };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    const message = `The compressed response is damaged (${code}). Try again later, or use another source.`;
    throw new ToolError('http_error', message, { cause: error });
  }
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
    // Copies into one growing array: each kept chunk has a fixed overhead, much more than the data of a tiny chunk.
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
