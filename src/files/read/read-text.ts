import { isUtf8 } from 'node:buffer';
import { ToolError } from '../../core/error.js';
import { formatSize } from '../../core/text/size.js';
import { believeDeclaration } from '../../editing/encodings/declared-encoding.js';
import { detectEncoding, type TextEncoding, unitBytes } from '../../editing/encodings/encoding.js';
import { firstHighByte } from '../../editing/encodings/legacy-encoding.js';
import type { OpenFile } from '../../ports/file-system.js';
import { type MediaType, sniffMediaType } from '../media/media-type.js';

/** A file whose whole content is in memory already. */
export function fileInMemory(file: OpenFile, bytes: Uint8Array): OpenFile {
  return {
    stat: file.stat,
    async read(buffer, position) {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    },
    close: () => file.close(),
  };
}

const sampleBytes = 65_536;

/**
 * The encoding of a text file of `size` bytes, or undefined for what is no text. With only its first bytes these
 * decide; of a whole file all bytes count: where it begins with ASCII and declares nothing, what comes first beyond it
 * tells the encoding.
 */
export function textEncoding(bytes: Uint8Array, size = bytes.length): TextEncoding | undefined {
  const sample = bytes.subarray(0, sampleBytes);
  // A PDF document may begin with kilobytes of text.
  const isWhole = sample.length >= size;
  const found = sniffMediaType(sample)?.type === 'application/pdf' ? undefined : detectEncoding(sample, isWhole);
  const first = found && believeDeclaration(found, sample, isWhole);
  if (first === undefined || bytes.length < size || bytes.length === sample.length || unitBytes(first.name) === 2)
    return first;
  if (bytes.includes(0)) return undefined;
  if (first.name !== 'utf-8' || isUtf8(bytes)) return first;
  const from = firstHighByte(bytes);
  // A character that the end of the sample may have cut is not judged yet.
  const later =
    from < sampleBytes - 3
      ? first
      : detectEncoding(bytes.subarray(from, from + sampleBytes), from + sampleBytes >= size);
  return later?.name === 'utf-8' ? { ...first, isDamaged: true } : later;
}

/** The encoding of the text of a file. Throws `unsupported_file`, with type and size, for what is no text. */
export function encodingOf(bytes: Uint8Array, path: string): TextEncoding {
  const encoding = textEncoding(bytes);
  if (encoding === undefined) throw notText(sniffMediaType(bytes), path, bytes.length);
  return encoding;
}

/** The error for a binary file where text is wanted. */
export function notText(media: MediaType | undefined, path: string, size: number): ToolError {
  const what = media === undefined ? 'a binary file' : `a binary file (${media.label})`;
  return new ToolError(
    'unsupported_file',
    `This is ${what} of ${formatSize(size)}, not text: ${path}. Use a tool made for it, for instance through Bash.`,
    { metadata: { mediaType: media?.type ?? 'application/octet-stream', size } },
  );
}
