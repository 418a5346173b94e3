import { closeSync, constants, openSync, readlinkSync, readSync } from 'node:fs';
import { type DecodedText, decodeText } from '../query/grep-text.js';
import { binaryNotice } from './grep-line.js';
import { GrepScan, type ScanOptions } from './grep-scan.js';

/** What one file needs besides the search itself. */
export interface GrepFileOptions extends ScanOptions {
  /** Used again for each file. */
  readonly buffer: Buffer;
}

/** How a file went: it was searched as far as it is text, or that could not be done. */
export type GrepFileEnd = 'searched' | 'unreadable';

/** Fills `buffer` from `offset` on with what stands at `position`, and answers how many bytes; fewer only at the end. */
export type ReadBytes = (buffer: Buffer, offset: number, length: number, position: number) => number;

const passedBy = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);
/** How much is read at once where lines are searched one by one. */
export const pieceBytes = 1_048_576;
/** A zero byte in so much of the beginning makes a file binary. */
const sampledBytes = 65_536;

/**
 * Searches one regular file. A zero byte near its beginning makes a file binary: one that a walk found is left out, of
 * one that is named it is only said that it matches. At a zero byte further on the text ends.
 */
export function grepFile(options: GrepFileOptions): GrepFileEnd {
  let descriptor: number;
  try {
    descriptor = openSync(options.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (cause) {
    return passedBy.has(systemCode(cause)) ? 'searched' : 'unreadable';
  }
  try {
    const read: ReadBytes = (buffer, offset, length, position) =>
      readSync(descriptor, buffer, offset, length, position);
    return grepBytes(read, { ...options, emit: confinedEmit(descriptor, options) });
  } catch (cause) {
    if (systemCode(cause) === '') throw cause;
    return 'unreadable';
  } finally {
    closeSync(descriptor);
  }
}

/** The same for a file whose bytes come from anywhere. */
export function grepBytes(read: ReadBytes, options: GrepFileOptions): GrepFileEnd {
  const { job, emit, path } = options;
  const scan = new GrepScan(options);
  let rest: Buffer = Buffer.alloc(0);
  for (let position = 0, goesOn = true; goesOn; ) {
    const chunk = rest.length > options.buffer.length ? Buffer.allocUnsafe(rest.length) : options.buffer;
    const count = read(chunk, 0, chunk.length, position);
    const isFirst = position === 0;
    const isLast = count < chunk.length;
    position += count;
    let bytes = rest.length === 0 ? chunk.subarray(0, count) : Buffer.concat([rest, chunk.subarray(0, count)]);
    const isWide = isFirst && /^(?:fffe|feff)/.test(bytes.toString('hex', 0, 2));
    if (isFirst && isLast && !isWide && !options.matcher.mayMatch(bytes)) return 'searched';
    if ((options.matcher.crossesLines || isWide) && !isLast) {
      const all = readRest(read, bytes, job.maxFileBytes);
      if (all === undefined) return 'unreadable';
      bytes = all;
    }
    if (isWide) {
      scan.scan(wideText(bytes));
      break;
    }
    if (isFirst && bytes.toString('hex', 0, 3) === 'efbbbf') bytes = bytes.subarray(3);
    const isWhole = isLast || options.matcher.crossesLines;
    const end = isWhole ? bytes.length : bytes.lastIndexOf(10) + 1;
    goesOn = searchPiece(bytes.subarray(0, end), isFirst, scan, options) && !isWhole;
    rest = Buffer.from(bytes.subarray(end));
  }
  if (job.query.mode === 'count' && scan.found > 0) emit(`${path}:${scan.found}`);
  return 'searched';
}

/** Searches lines, as far as they are text. False when nothing behind them matters. */
function searchPiece(bytes: Buffer, isFirst: boolean, scan: GrepScan, options: ScanOptions): boolean {
  const { job, matcher, isNamed, path, emit } = options;
  const isListed = job.query.mode !== 'content';
  const zero = bytes.indexOf(0);
  if (zero === -1) return isListed && !matcher.mayMatch(bytes) ? true : scan.scan(decodeText(bytes));
  if (isListed && isNamed) return scan.scan(decodeText(withoutZeros(bytes)));
  const isBinary = isFirst && zero < sampledBytes;
  if (!isBinary) scan.scan(decodeText(bytes.subarray(0, bytes.lastIndexOf(10, zero) + 1)));
  if (isNamed && holdsMatch(isBinary ? bytes : bytes.subarray(bytes.lastIndexOf(10, zero) + 1), options))
    emit(binaryNotice(path, zero));
  return false;
}

function holdsMatch(bytes: Buffer, options: ScanOptions): boolean {
  const query = { ...options.job.query, mode: 'files_with_matches' as const };
  return !new GrepScan({ ...options, job: { ...options.job, query }, emit: () => undefined }).scan(
    decodeText(withoutZeros(bytes)),
  );
}

function withoutZeros(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => (byte === 0 ? 10 : byte)));
}

/** All of a file from its first bytes on; undefined where it is larger than that. */
function readRest(read: ReadBytes, first: Buffer, maxBytes: number): Buffer | undefined {
  const parts = [first];
  for (let length = first.length; length <= maxBytes; ) {
    const chunk = Buffer.allocUnsafe(pieceBytes);
    const count = read(chunk, 0, chunk.length, length);
    parts.push(chunk.subarray(0, count));
    length += count;
    if (count < chunk.length) return Buffer.concat(parts);
  }
  return undefined;
}

function wideText(bytes: Buffer): DecodedText {
  return { text: new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes), kind: 'unicode' };
}

/**
 * Passes lines on only when the opened file is the one that was named: no folder of its path became a link meanwhile.
 * Looked at once, when something was found. Elsewhere than on Linux the caller's look at the path has to do.
 */
function confinedEmit(descriptor: number, { path, emit }: ScanOptions): ScanOptions['emit'] {
  let isWhereItWas: boolean | undefined;
  return (line) => {
    isWhereItWas ??= process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${descriptor}`) === path;
    if (isWhereItWas) emit(line);
  };
}

function systemCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && 'syscall' in cause ? String(cause.code) : '';
}
