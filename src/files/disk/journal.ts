import { appendFileSync, closeSync, constants, fchmodSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { ToolError } from '../../core/error.js';
import { replaceWhole } from './replace-private-file.js';

const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDWR } = constants;

/** The limits of a journal file. `what` names its content at the start of error messages. */
interface JournalOptions {
  readonly what: string;
  readonly maxLines: number;
  readonly maxBytes: number;
}

/**
 * A private file (0600) with one entry per line. Lines are only appended, so a crash loses at most the last line. If
 * the file is too long, or a line could not be written, a new file with only the entries to keep replaces it. Writes
 * are synchronous, since the process may be about to end.
 */
export function openJournal(path: string, { what, maxLines, maxBytes }: JournalOptions) {
  let lines = 0;
  let bytes = 0;
  let isStale = false;

  /**
   * Creates the file if it is missing and returns its decoded lines, oldest first; a line that cannot be decoded is
   * left out. Throws `storage_failed` for another kind of file: one that has no valid entry and does not begin with one
   * of `starts`.
   */
  function open<Entry>(decode: (line: string) => Entry | undefined, starts: readonly string[]): readonly Entry[] {
    const { text, size } = whileOpen((fd, size) => {
      fchmodSync(fd, 0o600);
      return { text: tailOf(readFileSync(fd), maxBytes * 2), size };
    });
    const found = text.split('\n').filter((line) => line !== '');
    const entries = found.flatMap((line) => decode(line) ?? []);
    if (entries.length === 0 && !starts.some((start) => start.startsWith(text.slice(0, start.length))))
      throw failed(new Error('it contains something else'));
    lines = found.length;
    bytes = size;
    isStale = text !== '' && !text.endsWith('\n');
    return entries;
  }

  /** Appends a line, or rewrites the file with the lines that `kept` returns. Throws `storage_failed`. */
  function write(line: string, kept: () => Iterable<string>): void {
    try {
      const isDue = isStale || lines >= maxLines || bytes > maxBytes;
      if (isDue || !appended(line)) replace(kept());
    } catch (cause) {
      // The file may end with an incomplete line now.
      isStale = true;
      throw failed(cause);
    }
  }

  function replace(kept: Iterable<string>): void {
    const all = [...kept];
    const content = Buffer.from(all.map((line) => `${line}\n`).join(''));
    replaceWhole(path, content);
    lines = all.length;
    bytes = content.length;
    isStale = false;
  }

  /** Appends a line. Returns false if the file is shorter than before: another program emptied or removed it. */
  function appended(line: string): boolean {
    const added = Buffer.from(`${line}\n`);
    const isAdded = whileOpen((fd, size) => {
      if (size < bytes) return false;
      appendFileSync(fd, added);
      return true;
    });
    if (!isAdded) return false;
    lines += 1;
    bytes += added.length;
    return true;
  }

  function whileOpen<Value>(use: (fd: number, size: number) => Value): Value {
    let fd: number | undefined;
    try {
      // Does not follow links, and does not wait for the other end of a FIFO.
      fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
      const stat = fstatSync(fd);
      if (!stat.isFile()) throw new Error('it is not a regular file');
      return use(fd, stat.size);
    } catch (cause) {
      throw failed(cause);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  function failed(cause: unknown): ToolError {
    if (ToolError.is(cause)) return cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `${what} cannot be kept in ${path}: ${reason}. Pass another file, or free some space.`;
    return new ToolError('storage_failed', message, { cause });
  }

  return { open, write, replace };
}

/** The last bytes of a file as text, from the beginning of a line. */
function tailOf(bytes: Buffer, maxBytes: number): string {
  if (bytes.length <= maxBytes) return bytes.toString('utf8');
  const text = bytes.subarray(-maxBytes).toString('utf8');
  return text.slice(text.indexOf('\n') + 1);
}
