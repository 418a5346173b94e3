import { closeSync, constants, openSync, readlinkSync, readSync } from 'node:fs';
import { type DecodedText, decodeText } from '../query/grep-text.js';
import { blockBytes, FileBytes, type ReadBuffer, type ReadBytes } from './grep-file-bytes.js';
import { binaryNotice } from './grep-line.js';
import { findMatch } from './grep-matches.js';
import { scanMultiline } from './grep-multiline.js';
import { LineScan, type ScanOptions } from './grep-scan.js';

/** What one file needs besides the search itself. */
export interface GrepFileOptions extends ScanOptions {
  /** Used again for each file. */
  readonly buffer: ReadBuffer;
}

/** How a file went: it was searched as far as it is text, or it could not be read. */
export type GrepFileEnd = 'searched' | 'unreadable';

const passedBy = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);

/**
 * Searches one regular file. A zero byte makes a file binary: one that a walk found is left out, apart from blocks
 * before the one with that byte; of one that is named it is only said that it matches.
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
  const { job, matcher } = options;
  const bytes = new FileBytes(read, options.buffer);
  bytes.fill();
  const mark = byteOrderMark(bytes.view(0));
  if (bytes.isAtEnd && mark !== 'utf-16' && !matcher.mayMatch(bytes.view(0))) return 'searched';
  if (mark !== 'utf-16' && !matcher.crossesLines) {
    searchPieces(bytes, mark === 'utf-8' ? 3 : 0, options);
    return 'searched';
  }
  if (!bytes.fillAll(job.maxFileBytes)) return 'unreadable';
  const text = mark === 'utf-16' ? wideText(bytes.view(0)) : wholeText(bytes.view(mark === 'utf-8' ? 3 : 0), options);
  if (text !== undefined) searchWhole(text, options);
  return 'searched';
}

/** Line by line, in pieces of whole lines, so that memory stays flat however large the file is. */
function searchPieces(bytes: FileBytes, start: number, options: GrepFileOptions): void {
  const { job, matcher, emit, path, isNamed } = options;
  const { mode } = job.query;
  const scan = new LineScan(options);
  const search = (piece: Buffer): boolean =>
    piece.length === 0 || (matcher.mayMatch(piece) ? scan.scan(decodeText(piece)) : scan.skip(piece));
  for (let from = start; ; from = 0) {
    if (bytes.findZero(from)) {
      if (!isNamed || mode === 'content') {
        const end = Math.max(from, bytes.textEnd);
        const goesOn = search(bytes.view(from).subarray(0, end - from));
        if (goesOn && isNamed) tellOfBinary(bytes, end, scan, options, start);
        return;
      }
      bytes.replaceZeros();
    }
    const end = bytes.wholeLines(from);
    if (!search(bytes.view(from).subarray(0, end - from)) || bytes.isAtEnd) break;
    bytes.keepFrom(end);
    bytes.fill();
  }
  if (mode === 'count' && scan.found > 0) emit(`${path}:${scan.found}`);
}

/** Only says that a file matches, where it does, from its first block on that holds a zero byte. */
function tellOfBinary(
  bytes: FileBytes,
  start: number,
  scan: LineScan,
  { emit, path }: GrepFileOptions,
  markBytes: number,
): void {
  for (let from = start; ; from = 0) {
    bytes.replaceZeros();
    const end = bytes.wholeLines(from);
    if (scan.found > 0 || scan.matches(decodeText(bytes.view(from).subarray(0, end - from)))) {
      emit(binaryNotice(path, bytes.zeroAt - markBytes));
      return;
    }
    if (bytes.isAtEnd) return;
    bytes.keepFrom(end);
    bytes.fill();
  }
}

function searchWhole(text: DecodedText, options: GrepFileOptions): void {
  const { job, matcher, emit, path } = options;
  if (matcher.crossesLines) {
    scanMultiline(text, options);
    return;
  }
  const scan = new LineScan(options);
  scan.scan(text);
  if (job.query.mode === 'count' && scan.found > 0) emit(`${path}:${scan.found}`);
}

function wideText(bytes: Buffer): DecodedText {
  return { text: new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes), kind: 'unicode' };
}

/**
 * Undefined for a file whose first block is binary, about which everything has been said. Behind it only what is shown
 * must not be.
 */
function wholeText(bytes: Buffer, { isNamed, job, path, emit, matcher }: GrepFileOptions): DecodedText | undefined {
  const zero = bytes.subarray(0, blockBytes).indexOf(0);
  if (zero === -1) return decodeText(bytes);
  if (!isNamed) return undefined;
  const text = decodeText(bytes);
  if (job.query.mode !== 'content') return text;
  if (findMatch(matcher.expressionFor(text), text.text, 0) !== undefined) emit(binaryNotice(path, zero));
  return undefined;
}

function byteOrderMark(bytes: Buffer): 'utf-8' | 'utf-16' | undefined {
  const [first, second, third] = bytes;
  if (bytes.length >= 2 && ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)))
    return 'utf-16';
  return bytes.length >= 3 && first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/**
 * Passes lines on only when the opened file is the one that was named: no folder of its path became a link meanwhile.
 * Looked at once, when something was found. Elsewhere than on Linux the caller's look at the path has to do.
 */
function confinedEmit(descriptor: number, { path, emit }: GrepFileOptions): ScanOptions['emit'] {
  let isWhereItWas: boolean | undefined;
  return (line) => {
    isWhereItWas ??= process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${descriptor}`) === path;
    if (isWhereItWas) emit(line);
  };
}

function systemCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && 'syscall' in cause ? String(cause.code) : '';
}
