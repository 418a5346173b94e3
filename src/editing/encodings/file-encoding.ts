import { isUtf8 } from 'node:buffer';
import { ToolError } from '../../core/error.js';
import { type MediaType, sniffMediaType } from '../../core/media/media-type.js';
import { formatSize } from '../../core/text/size.js';
import { believeDeclaration } from './declared-encoding.js';
import { decodeText, detectEncoding, type TextEncoding, unitBytes } from './encoding.js';
import { firstHighByte } from './legacy-encoding.js';

/** The number of bytes at the start of a file that are examined for its encoding. */
export const sampleBytes = 65_536;

/**
 * The encoding of a text file of `size` bytes; undefined for a binary file. If only the first bytes are given, they
 * decide. If all bytes are given, all of them count: for a file that begins with ASCII and declares no encoding, the
 * first bytes beyond ASCII decide.
 */
export function textEncoding(bytes: Uint8Array, size = bytes.length): TextEncoding | undefined {
  const sample = bytes.subarray(0, sampleBytes);
  // A PDF document may begin with kilobytes of text.
  const isWhole = sample.length >= size;
  const found = isPdf(sample) ? undefined : detectEncoding(sample, isWhole);
  const first = found && believeDeclaration(found, sample, isWhole);
  if (first === undefined || bytes.length < size || bytes.length === sample.length || unitBytes(first.name) === 2)
    return first;
  if (bytes.includes(0)) return undefined;
  if (first.name !== 'utf-8' || isUtf8(bytes)) return first;
  const from = firstHighByte(bytes);
  // A character that may be cut by the end of the sample does not count yet.
  const later =
    from < sampleBytes - 3
      ? first
      : detectEncoding(bytes.subarray(from, from + sampleBytes), from + sampleBytes >= size);
  return later?.name === 'utf-8' ? { ...first, isDamaged: true } : later;
}

function isPdf(bytes: Uint8Array): boolean {
  return [...'%PDF-'].every((character, at) => bytes[at] === character.charCodeAt(0));
}

/** The text of a whole file, without its byte order mark; undefined for a binary file. */
export function fileText(bytes: Uint8Array): string | undefined {
  const encoding = textEncoding(bytes);
  return encoding && decodeText(bytes.subarray(encoding.markBytes), encoding.name);
}

/** The encoding of the text of a file. Throws `unsupported_file`, with type and size, for a binary file. */
export function encodingOf(bytes: Uint8Array, path: string): TextEncoding {
  const encoding = textEncoding(bytes);
  if (encoding === undefined) throw notText(sniffMediaType(bytes), path, bytes.length);
  return encoding;
}

/** The error for a binary file where text is expected. */
export function notText(media: MediaType | undefined, path: string, size: number): ToolError {
  const what = media === undefined ? 'a binary file' : `a binary file (${media.label})`;
  return new ToolError(
    'unsupported_file',
    `This is ${what} of ${formatSize(size)}, not text: ${path}. Use a tool made for it, for instance through Bash.`,
    { metadata: { mediaType: media?.type ?? 'application/octet-stream', size } },
  );
}
