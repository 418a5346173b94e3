import { decodeText, type TextEncoding } from '../../editing/encodings/encoding.js';
import type { OpenFile } from '../../ports/file-system.js';
import { type Scrub, scrubPart } from '../../secrets/scrub-text-part.js';
import type { Page, PageLine } from './read-page.js';

// A private key of usual size is told by its first line or its last, wherever a page of it begins.
const besideBytes = 8_192;

/**
 * A page without credentials. It is read as a part of its file, and without numbers: what a line is may stand in the
 * lines above or below it. Of a line that is cut nothing is shown of a credential that the cut went through.
 */
export async function scrubbedPage(page: Page, file: OpenFile, encoding: TextEncoding, scrub: Scrub): Promise<Page> {
  const [above, below] = await linesBeside(page, file, encoding);
  const shown = page.lines.map((line) => (isPart(line) ? scrubPart(scrub, line) : line.text));
  const all = [...above, ...shown, ...below];
  const scrubbed = scrub(all.join('\n')).split('\n');
  const kept = scrubbed.length === all.length ? scrubbed.slice(above.length, above.length + shown.length) : shown;
  return { ...page, lines: page.lines.map((line, index) => ({ ...line, text: kept[index] ?? '' })) };
}

function isPart({ before, after }: PageLine): boolean {
  return before !== '' || after !== '';
}

/** Whole lines right before a page, and what begins right behind it. */
async function linesBeside({ from, until }: Page, file: OpenFile, { name }: TextEncoding) {
  const start = Math.max(0, from - besideBytes);
  const above = (await textAt(file, start, from, name)).split('\n').slice(start === 0 ? 0 : 1, -1);
  const below = (await textAt(file, until, Math.min(file.stat.size, until + besideBytes), name)).split('\n');
  return [above, below].map((lines) => lines.map((line) => line.replace(/\r$/, ''))) as [string[], string[]];
}

async function textAt(file: OpenFile, start: number, end: number, encoding: TextEncoding['name']): Promise<string> {
  if (end <= start) return '';
  const buffer = Buffer.allocUnsafe(end - start);
  const count = await file.read(buffer, start);
  return decodeText(buffer.subarray(0, count), encoding);
}
