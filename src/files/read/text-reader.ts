import { isAscii } from 'node:buffer';
import type { Limits } from '../../core/limits.js';
import { ifPossible } from '../../core/support/check-values.js';
import { countLines } from '../../core/text/lines-and-sizes.js';
import { besideChars, type Scrub, scrubExcerpt } from '../../core/text/scrub-excerpt.js';
import type { ToolMetadata } from '../../core/tool-result.js';
import { decodeText, detectEncoding, type TextEncoding, unitBytes } from '../../editing/encodings/codecs.js';
import { sampleBytes, textEncoding } from '../../editing/encodings/detect.js';
import { type LineFeedCounter, lineFeedCounter } from '../../editing/encodings/line-feed-counter.js';
import type { OpenFile } from '../../ports/file-system.js';
import { fileInMemory } from '../disk/open-file.js';
import { checksumFile, checksumOf } from './content-checksum.js';
import { LineIndex } from './line-positions.js';
import { type Page, type PageLine, readPage } from './page.js';

/** Which lines to show. */
export interface TextRequest {
  readonly line: number;
  readonly column: number;
  readonly maxLines: number;
}

/** A page of text for the model, and facts about it for programs. */
export interface ShownText {
  readonly kind: 'text';
  readonly output: string;
  /** Checksum of the whole content, for files up to `hashMaxBytes`. */
  readonly hash: string | undefined;
  readonly metadata: ToolMetadata;
  /** The page is empty because it starts past the end of the file or of its first line. False for an empty file. */
  readonly isPastEnd: boolean;
}

interface BinaryFile {
  readonly kind: 'binary';
  readonly sample: Buffer;
}

// Enough to recognise the type of a file.
const headBytes = 4_096;
const smallBytes = 65_536;
const largeBytes = 262_144;

interface Block {
  readonly buffer: Buffer;
  readonly counter: LineFeedCounter | undefined;
}

/**
 * Shows text files page by page; with `scrub` a page shows no credential and no part of one. The reader reuses buffers
 * and caches the offsets of some lines. Its memory does not grow with the file.
 */
export function textReader(limits: Limits['read'], scrub?: Scrub) {
  const ownIndex = new LineIndex();
  const free = new Map<'small' | 'large', Block>();

  async function read(file: OpenFile, request: TextRequest, signal: AbortSignal): Promise<ShownText | BinaryFile> {
    const isDeep = file.stat.size > smallBytes && (request.line > 1 || request.column > 1);
    const needsChecksum = file.stat.size > smallBytes && file.stat.size <= limits.hashMaxBytes;
    return withBlock(isDeep || needsChecksum ? 'large' : 'small', async ({ buffer, counter }) => {
      const sample = buffer.subarray(0, await file.read(buffer.subarray(0, smallBytes), 0));
      const encoding = textEncoding(sample, file.stat.size);
      // Copied, because the buffer is reused below.
      const [head, isPlain] = [Buffer.from(sample.subarray(0, headBytes)), isAscii(sample)];
      if (encoding === undefined) return { kind: 'binary', sample: head };
      const isWhole = file.stat.size === sample.length && sample.length < smallBytes;
      const whole = isWhole ? Buffer.from(sample) : undefined;
      const source = whole === undefined ? file : fileInMemory(file.stat, whole);
      const known = needsChecksum ? await checksumFile({ file, buffer, counter, signal }) : undefined;
      const pageIn = (as: TextEncoding, index: LineIndex) =>
        readPage({ file: source, encoding: as, buffer, counter, index, signal }, pageRequest(request));
      const first = await pageIn(encoding, ownIndex);
      const real = await pageEncoding(first, encoding, source, isPlain);
      if (real === undefined) return { kind: 'binary', sample: head };
      const found = real.name === encoding.name ? first : await pageIn(real, new LineIndex());
      // The counter counts single bytes, so it cannot count the line feeds of UTF-16.
      const counted = () => (unitBytes(real.name) === 1 ? known?.lines : undefined);
      const total = () => (whole === undefined ? counted() : countLines(decodeText(whole, real.name)));
      const page = { ...found, totalLines: found.totalLines ?? total() };
      const shown = scrub === undefined ? page : await scrubbedPage(page, source, real, scrub);
      return {
        kind: 'text',
        output: print(shown, real, request, limits),
        hash: whole === undefined ? known?.hash : checksumOf([whole]),
        metadata: describe(file, page, real, request),
        isPastEnd: page.totalLines !== 0 && page.lines.length <= (page.firstLength === undefined ? 0 : 1),
      };
    });
  }

  function pageRequest(request: TextRequest) {
    const { maxChars, maxLineChars } = limits;
    const beside = scrub === undefined ? 0 : besideChars;
    return { ...request, maxChars, maxLineChars: Math.max(1, Math.min(maxLineChars, maxChars)), besideChars: beside };
  }

  async function withBlock<Result>(size: 'small' | 'large', job: (block: Block) => Promise<Result>): Promise<Result> {
    const block = free.get(size) ?? newBlock(size);
    free.delete(size);
    try {
      return await job(block);
    } finally {
      free.set(size, block);
    }
  }

  return read;
}

function newBlock(size: 'small' | 'large'): Block {
  const counter = size === 'large' ? lineFeedCounter() : undefined;
  return { buffer: counter?.memory ?? Buffer.allocUnsafeSlow(size === 'large' ? largeBytes : smallBytes), counter };
}

function print(page: Page, encoding: TextEncoding, request: TextRequest, limits: Limits['read']): string {
  const notices = [
    ...pageNotices(page, request),
    ...columnNotices(page, request),
    ...cutNotices(page.lines, limits),
    ...encodingNotices(encoding),
  ];
  let text = '';
  for (const { line, text: content } of page.lines) text += `${line}\t${content}\n`;
  if (notices.length === 0) return text.slice(0, -1);
  return text + notices.map((notice) => `[${notice}]`).join('\n');
}

function pageNotices(page: Page, { line }: TextRequest): string[] {
  const { lines, nextLine, totalLines } = page;
  const shown =
    totalLines === undefined ? 'More lines follow' : `Lines ${line}-${line + lines.length - 1} of ${totalLines}`;
  if (lines.length > 0) return nextLine === undefined ? [] : [`${shown}; read on with offset: ${nextLine}`];
  if (totalLines === 0) return ['The file is empty'];
  return [`The file ends at line ${totalLines}; offset ${line} is past the end`];
}

function columnNotices({ firstLength }: Page, { line, column }: TextRequest): string[] {
  if (firstLength === undefined) return [];
  return [
    `Line ${line} ${firstLength === 0 ? 'is empty' : `ends at column ${firstLength}`}; column ${column} is past ` +
      'its end',
  ];
}

function cutNotices(lines: readonly PageLine[], { maxLineChars }: Limits['read']): string[] {
  const cut = lines.filter(({ nextColumn }) => nextColumn !== undefined);
  const [first] = cut;
  if (first === undefined) return [];
  const onward = `read on with offset: ${first.line}, column: ${first.nextColumn}`;
  if (cut.length === 1) return [`Line ${first.line} is cut; ${onward}`];
  const named = cut.slice(0, 10).map(({ line }) => line);
  return [
    `Lines ${named.join(', ')}${cut.length > named.length ? ', …' : ''} are cut at ${maxLineChars} characters; ` +
      onward,
  ];
}

function encodingNotices({ name, isDamaged, markBytes, knownBy, declares }: TextEncoding): string[] {
  const shown = name === 'utf-8' ? 'UTF-8' : name;
  const damage = isDamaged
    ? [`Some bytes are not valid ${shown} and are shown as \ufffd; an edit elsewhere in the file keeps them`]
    : [];
  if (knownBy === 'guess')
    return [
      ...damage,
      (declares === undefined ? '' : `The file declares ${declares}. `) +
        `The encoding is a guess (${name}), so characters beyond ASCII may be wrong. Edits keep the bytes of ` +
        `these characters. An edit cannot add a character whose bytes are not certain${declares === undefined ? ' until the file declares its encoding' : ''}`,
    ];
  if (name !== 'utf-8')
    return [
      ...damage,
      `Stored as ${name}${knownBy === undefined ? '' : ', as the file declares'}; edits keep this encoding`,
    ];
  return markBytes === 0 ? damage : [...damage, 'Begins with a UTF-8 byte order mark; edits keep it'];
}

function describe(file: OpenFile, page: Page, encoding: TextEncoding, { line }: TextRequest): ToolMetadata {
  const { nextLine, totalLines } = page;
  return {
    filePath: file.stat.path,
    size: file.stat.size,
    startLine: line,
    lineCount: page.lines.length,
    encoding: encoding.name,
    ...(encoding.knownBy === 'guess' ? { encodingGuessed: true } : {}),
    ...(encoding.markBytes === 0 ? {} : { bom: true }),
    truncated: nextLine !== undefined || page.lines.some(({ nextColumn }) => nextColumn !== undefined),
    ...(totalLines === undefined ? {} : { totalLines }),
    ...(nextLine === undefined ? {} : { nextOffset: nextLine }),
  };
}

// Bytes read on each side of a page: enough to find the first or last line of a private key of usual size.
const besideBytes = 8_192;

/**
 * A page without credentials. The page is scrubbed without line numbers and together with the lines around it, which
 * may show that the page contains part of a credential. A credential that is only partly on the page is hidden as a
 * whole.
 */
async function scrubbedPage(page: Page, file: OpenFile, encoding: TextEncoding, scrub: Scrub): Promise<Page> {
  const [above, below] = await linesBeside(page, file, encoding);
  const shown = page.lines.map((line) => (line.before || line.after ? scrubExcerpt(scrub, line) : line.text));
  const all = [...above, ...shown, ...below];
  const scrubbed = scrub(all.join('\n')).split('\n');
  const kept = scrubbed.length === all.length ? scrubbed.slice(above.length, above.length + shown.length) : shown;
  return { ...page, lines: page.lines.map((line, index) => ({ ...line, text: kept[index] ?? '' })) };
}

/** The whole lines right before a page, and the text right after it. */
async function linesBeside({ from, until }: Page, file: OpenFile, { name }: TextEncoding) {
  const start = Math.max(0, from - besideBytes);
  const above = decodeText(await bytesAt(file, start, from), name)
    .split('\n')
    .slice(start === 0 ? 0 : 1, -1);
  const end = Math.min(file.stat.size, until + besideBytes);
  const below = decodeText(await bytesAt(file, until, end), name).split('\n');
  return [above, below].map((lines) => lines.map((line) => line.replace(/\r$/, ''))) as [string[], string[]];
}

async function bytesAt(file: OpenFile, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(0, end - start));
  return buffer.subarray(0, await file.read(buffer, start));
}

const maxCheckedBytes = 4_194_304;

/**
 * Checks `encoding`, which was detected from the first bytes of the file, on a page that was decoded with it. Resolves
 * with the same encoding, possibly marked as damaged, or with another encoding if the first bytes were plain ASCII.
 * Resolves with undefined for a page that is not text.
 */
async function pageEncoding(page: Page, encoding: TextEncoding, file: OpenFile, isPlain: boolean) {
  if (unitBytes(encoding.name) === 1 && page.lines.some(({ text }) => text.includes('\0'))) return undefined;
  if (encoding.isDamaged || !page.lines.some(({ text }) => text.includes('\ufffd'))) return encoding;
  if (!(await isDamaged(page, encoding, file))) return encoding;
  if (!isPlain || encoding.name !== 'utf-8') return { ...encoding, isDamaged: true };
  const until = Math.min(page.until, page.from + sampleBytes);
  const found = detectEncoding(await bytesAt(file, page.from, until), until === file.stat.size);
  return found?.name === 'utf-8' ? { ...encoding, isDamaged: true } : found;
}

// The file itself may contain the replacement character U+FFFD, so the bytes are decoded again.
async function isDamaged({ from, until }: Page, { name }: TextEncoding, file: OpenFile): Promise<boolean> {
  if (until - from > maxCheckedBytes) return true;
  const bytes = await bytesAt(file, from, until);
  return ifPossible(() => new TextDecoder(name, { fatal: true }).decode(bytes)) === undefined;
}
