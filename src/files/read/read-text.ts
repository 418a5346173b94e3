import { isUtf8 } from 'node:buffer';
import { ToolError } from '../../core/error.js';
import { formatSize } from '../../core/text/size.js';
import { believeDeclaration } from '../../editing/encodings/declared-encoding.js';
import { detectEncoding, type TextEncoding, unitBytes } from '../../editing/encodings/encoding.js';
import { firstHighByte } from '../../editing/encodings/legacy-encoding.js';
import type { OpenFile } from '../../ports/file-system.js';
import { type MediaType, sniffMediaType } from '../media/media-type.js';
import type { Page } from './read-page.js';

/** An open file whose content is in memory. */
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
 * The encoding of a text file of `size` bytes; undefined for a binary file. If only the first bytes are given, they
 * decide. Of a whole file all bytes count: if it begins with ASCII and declares no encoding, the first bytes beyond ASCII
 * decide.
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

/** What a page was read from. */
export interface PageSource {
  readonly file: OpenFile;
  readonly buffer: Buffer;
  /** The first bytes of the file, by which its encoding was chosen, are ASCII, so other encodings fit them too. */
  readonly isPlain: boolean;
}

const maxCheckedBytes = 4_194_304;

/**
 * The encoding of a page that was read in `encoding`, which was detected from the first bytes of the file. It is the same
 * one, the same one with damage, or another one if the first bytes were ASCII; undefined for a page that is not text.
 */
export async function pageEncoding(
  page: Page,
  encoding: TextEncoding,
  source: PageSource,
): Promise<TextEncoding | undefined> {
  if (unitBytes(encoding.name) === 1 && page.lines.some(({ text }) => text.includes('\0'))) return undefined;
  if (encoding.isDamaged || !page.lines.some(({ text }) => text.includes('\ufffd'))) return encoding;
  if (!(await isDamaged(page, encoding, source))) return encoding;
  if (!source.isPlain || encoding.name !== 'utf-8') return { ...encoding, isDamaged: true };
  const until = Math.min(page.until, page.from + sampleBytes);
  const sample = source.buffer.subarray(0, until - page.from);
  const found = detectEncoding(
    sample.subarray(0, await source.file.read(sample, page.from)),
    until === source.file.stat.size,
  );
  return found?.name === 'utf-8' ? { ...encoding, isDamaged: true } : found;
}

// The character for broken bytes may be stored as such, so only the bytes can tell.
async function isDamaged(
  { from, until }: Page,
  { name }: TextEncoding,
  { file, buffer }: PageSource,
): Promise<boolean> {
  const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true });
  try {
    for (let at = from; at < until; ) {
      if (at - from >= maxCheckedBytes) return true;
      const count = await file.read(buffer.subarray(0, Math.min(buffer.length, until - at)), at);
      if (count === 0) break;
      decoder.decode(buffer.subarray(0, count), { stream: true });
      at += count;
    }
    decoder.decode();
    return false;
  } catch {
    return true;
  }
}
