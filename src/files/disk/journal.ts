import { appendFileSync, closeSync, constants, fchmodSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { ToolError } from '../../core/error.js';
import { replaceWhole } from './replace-whole.js';

const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDWR } = constants;

/** The bounds of the file of a {@link Journal}, and what it contains: error messages begin with this text. */
interface JournalOptions {
  readonly what: string;
  readonly maxLines: number;
  readonly maxBytes: number;
}

/**
 * A private file (0600) with one entry per line. Lines are only appended, so a crash loses at most the last one. If the
 * file is too long, or a line could not be written, it is replaced by a file with only the entries to keep. Writes are
 * synchronous, since the process may be about to end.
 */
export class Journal {
  readonly #path: string;
  readonly #options: JournalOptions;
  #lines = 0;
  #bytes = 0;
  #isStale = false;

  constructor(path: string, options: JournalOptions) {
    this.#path = path;
    this.#options = options;
  }

  /**
   * Creates the file if it is missing and returns its decoded lines, oldest first; a line that cannot be decoded is
   * left out. Throws `storage_failed` for another kind of file, which has no valid entry and does not begin with one of
   * `starts`.
   */
  open<Entry>(decode: (line: string) => Entry | undefined, starts: readonly string[]): readonly Entry[] {
    const { text, size } = this.#whileOpen((fd, size) => {
      fchmodSync(fd, 0o600);
      return { text: tailOf(readFileSync(fd), this.#options.maxBytes * 2), size };
    });
    const lines = text.split('\n').filter((line) => line !== '');
    const entries = lines.flatMap((line) => decode(line) ?? []);
    if (entries.length === 0 && !starts.some((start) => start.startsWith(text.slice(0, start.length))))
      throw this.#failed(new Error('it contains something else'));
    this.#lines = lines.length;
    this.#bytes = size;
    this.#isStale = text !== '' && !text.endsWith('\n');
    return entries;
  }

  /** Appends a line, or rewrites the file from `kept`, all lines to keep after this change. Throws `storage_failed`. */
  write(line: string, kept: () => Iterable<string>): void {
    try {
      const { maxLines, maxBytes } = this.#options;
      const isDue = this.#isStale || this.#lines >= maxLines || this.#bytes > maxBytes;
      if (isDue || !this.#append(line)) this.replace(kept());
    } catch (cause) {
      // The file may end with an incomplete line now.
      this.#isStale = true;
      throw this.#failed(cause);
    }
  }

  replace(kept: Iterable<string>): void {
    const lines = [...kept];
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    replaceWhole(this.#path, bytes);
    this.#lines = lines.length;
    this.#bytes = bytes.length;
    this.#isStale = false;
  }

  /** Appends a line. Returns false if the file is shorter than before: another program emptied or removed it. */
  #append(line: string): boolean {
    const bytes = Buffer.from(`${line}\n`);
    const isAdded = this.#whileOpen((fd, size) => {
      if (size < this.#bytes) return false;
      appendFileSync(fd, bytes);
      return true;
    });
    if (!isAdded) return false;
    this.#lines += 1;
    this.#bytes += bytes.length;
    return true;
  }

  #whileOpen<Value>(use: (fd: number, size: number) => Value): Value {
    let fd: number | undefined;
    try {
      // Does not follow links, and does not wait for the other end of a FIFO.
      fd = openSync(this.#path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
      const stat = fstatSync(fd);
      if (!stat.isFile()) throw new Error('it is not a regular file');
      return use(fd, stat.size);
    } catch (cause) {
      throw this.#failed(cause);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  #failed(cause: unknown): ToolError {
    if (ToolError.is(cause)) return cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `${this.#options.what} cannot be kept in ${this.#path}: ${reason}. Pass another file, or free some space.`;
    return new ToolError('storage_failed', message, { cause });
  }
}

/** The last bytes of a file as text, from the beginning of a line. */
function tailOf(bytes: Buffer, maxBytes: number): string {
  if (bytes.length <= maxBytes) return bytes.toString('utf8');
  const text = bytes.subarray(-maxBytes).toString('utf8');
  return text.slice(text.indexOf('\n') + 1);
}
