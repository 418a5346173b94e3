import { closeSync, constants, openSync, readlinkSync, readSync } from 'node:fs';
import { decodeUtf8, decodeUtf16 } from '../query/decoded-text.js';
import { binaryNotice } from '../query/output-line.js';
import { GrepScan, LineTooLong, type ScanOptions } from './search-text.js';

export interface GrepFileOptions extends ScanOptions {
  readonly maxFileBytes: number;
  /** Reused for each file. */
  readonly buffer: Buffer;
}

/**
 * The outcome for a file. `searched` also stands for a file that was skipped, and for a file that was searched only up
 * to a zero byte.
 */
export type GrepFileEnd = 'searched' | 'unreadable';

/**
 * Reads bytes at `position` into `buffer` from `offset` on. Returns the number of bytes, which is less than `length`
 * only at the end of the file.
 */
export type ReadBytes = (buffer: Buffer, offset: number, length: number, position: number) => number;

const skippedErrors = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);
/** Bytes read at once if lines are searched one by one. A zero byte in the first piece makes a file binary. */
export const pieceBytes = 65_536;
const restBytes = 1_048_576;
const maxBytesInCharacter = 4;

/**
 * Searches one regular file. A file with a zero byte near its start is binary. A binary file found by a walk is
 * skipped. If the query names the file, the result in mode `content` only says whether it matches; in the other modes
 * the whole file is searched. A later zero byte ends the text.
 */
export function* grepFile(options: GrepFileOptions): Generator<void, GrepFileEnd> {
  let descriptor: number;
  try {
    descriptor = openSync(options.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (cause) {
    return skippedErrors.has(systemCode(cause)) ? 'searched' : 'unreadable';
  }
  try {
    const read: ReadBytes = (buffer, offset, length, position) =>
      readSync(descriptor, buffer, offset, length, position);
    return yield* grepBytes(read, { ...options, emit: confinedEmit(descriptor, options) });
  } catch (cause) {
    if (systemCode(cause) === '') throw cause;
    return 'unreadable';
  } finally {
    closeSync(descriptor);
  }
}

/** Searches bytes from any source in the same way as a file. */
export function* grepBytes(read: ReadBytes, options: GrepFileOptions): Generator<void, GrepFileEnd> {
  try {
    return yield* grepPieces(read, options);
  } catch (thrown) {
    if (thrown instanceof LineTooLong) return 'unreadable';
    throw thrown;
  }
}

function* grepPieces(read: ReadBytes, options: GrepFileOptions): Generator<void, GrepFileEnd> {
  const { query, pattern, emit, path } = options;
  const scan = new GrepScan(options);
  let rest: Buffer = Buffer.alloc(0);
  for (let position = 0, passed = 0, continues = true; continues; ) {
    const chunk = rest.length > options.buffer.length ? Buffer.allocUnsafe(rest.length) : options.buffer;
    const count = read(chunk, 0, chunk.length, position);
    const isFirst = position === 0;
    const isLast = count < chunk.length;
    position += count;
    let bytes = rest.length === 0 ? chunk.subarray(0, count) : Buffer.concat([rest, chunk.subarray(0, count)]);
    const isWide = isFirst && decodeUtf16(bytes.subarray(0, 2)) !== undefined;
    if (isFirst && isLast && !isWide && !pattern.mayMatch(bytes)) return 'searched';
    yield;
    if ((pattern.crossesLines || isWide) && !isLast) {
      const maxBytes = Math.min(options.maxFileBytes, maxBytesInCharacter * pattern.maxChars);
      const all = yield* readRest(read, bytes, isWide ? options.maxFileBytes : maxBytes);
      if (all === undefined) return 'unreadable';
      bytes = all;
    }
    if (isWide) {
      yield* scan.scan({ text: decodeUtf16(bytes) ?? '', kind: 'unicode' });
      break;
    }
    if (isFirst && bytes.toString('hex', 0, 3) === 'efbbbf') bytes = bytes.subarray(3);
    const isWhole = isLast || pattern.crossesLines;
    const end = isWhole ? bytes.length : bytes.lastIndexOf(10) + 1;
    continues = (yield* searchPiece(bytes.subarray(0, end), passed, scan, options)) && !isWhole;
    passed += end;
    rest = Buffer.from(bytes.subarray(end));
    if (rest.length > maxBytesInCharacter * pattern.maxChars) return 'unreadable';
  }
  if (query.mode === 'count' && scan.found > 0) emit(`${path}:${scan.found}`);
  return 'searched';
}

/**
 * Searches the next lines of the file, after `passed` bytes, up to a zero byte. Returns false if the rest of the file
 * need not be read.
 */
function* searchPiece(bytes: Buffer, passed: number, scan: GrepScan, options: ScanOptions): Generator<void, boolean> {
  const { query, pattern, isNamed, path, emit } = options;
  const isListed = query.mode !== 'content';
  const zero = bytes.indexOf(0);
  if (zero === -1) return isListed && !pattern.mayMatch(bytes) ? true : yield* scan.scan(decodeUtf8(bytes));
  if (isListed && isNamed) return yield* scan.scan(decodeUtf8(withoutZeros(bytes)));
  const isBinary = passed + zero < pieceBytes;
  if (!isBinary) yield* scan.scan(decodeUtf8(bytes.subarray(0, bytes.lastIndexOf(10, zero) + 1)));
  const rest = isBinary ? bytes : bytes.subarray(bytes.lastIndexOf(10, zero) + 1);
  if (isNamed && (yield* holdsMatch(rest, options))) emit(binaryNotice(path, passed + zero));
  return false;
}

function* holdsMatch(bytes: Buffer, options: ScanOptions): Generator<void, boolean> {
  const query = { ...options.query, mode: 'files_with_matches' as const };
  return !(yield* new GrepScan({ ...options, query, emit: () => true }).scan(decodeUtf8(withoutZeros(bytes))));
}

function withoutZeros(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => (byte === 0 ? 10 : byte)));
}

/** The whole file; undefined if it is larger than the limit. */
function* readRest(read: ReadBytes, first: Buffer, maxBytes: number): Generator<void, Buffer | undefined> {
  const parts = [first];
  for (let length = first.length; length <= maxBytes; ) {
    yield;
    const chunk = Buffer.allocUnsafe(restBytes);
    const count = read(chunk, 0, chunk.length, length);
    parts.push(chunk.subarray(0, count));
    length += count;
    if (count < chunk.length) return Buffer.concat(parts);
  }
  return undefined;
}

/**
 * Emits lines only if the opened file is the file at the path, and no link has replaced a parent folder (TOCTOU). The
 * check runs once, at the first line. Gap: the check runs only on Linux. On other systems only lists of paths and
 * counts are checked, after the search (`verifiedPaths`).
 */
function confinedEmit(descriptor: number, { path, emit }: ScanOptions): ScanOptions['emit'] {
  let isWhereItWas: boolean | undefined;
  return (line) => {
    isWhereItWas ??= process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${descriptor}`) === path;
    return isWhereItWas && emit(line);
  };
}

function systemCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && 'syscall' in cause ? String(cause.code) : '';
}
