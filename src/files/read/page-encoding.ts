import { detectEncoding, type TextEncoding, unitBytes } from '../../editing/encodings/encoding.js';
import { sampleBytes } from '../../editing/encodings/file-encoding.js';
import type { OpenFile } from '../../ports/file-system.js';
import type { Page } from './read-page.js';

/** What a page was read from. */
export interface PageSource {
  readonly file: OpenFile;
  readonly buffer: Buffer;
  /** The first bytes of the file, by which its encoding was chosen, are ASCII, so other encodings are possible too. */
  readonly isPlain: boolean;
}

const maxCheckedBytes = 4_194_304;

/**
 * Checks `encoding`, which was detected from the first bytes of the file, on a page that was decoded with it. Resolves
 * with the same encoding, with the same one marked as damaged, or with another one if the first bytes were ASCII;
 * undefined for a page that is not text.
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

// The file itself may contain the replacement character U+FFFD, so the bytes are decoded again.
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
