import { appendFileSync, closeSync, constants, fchmodSync, fstatSync, openSync, readSync } from 'node:fs';
import { ToolError, toolErrors } from '../../core/error.js';
import type { KeptLetter } from './create-dead-letters.js';
import { replaceWhole } from './replace-whole.js';

const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDWR } = constants;

/** How large the file of a journal may become before it is written anew. */
export interface JournalBounds {
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** What a line of a journal says. */
export type JournalEntry = { readonly letter: KeptLetter } | { readonly removed: string };

/**
 * A file of lines of JSON (0600) that says what was kept, `{"letter":…}`, and what was taken out, `{"removed":id}`.
 * Lines are only added, so that a crash costs at most the last one; when the file is too long, or a line could not be
 * written, it is replaced by one that holds what is kept now. It writes at once and synchronously: what failed finally
 * is rare, and the process may be about to end.
 */
export class DeadLetterJournal {
  readonly #path: string;
  readonly #bounds: JournalBounds;
  #lines = 0;
  #bytes = 0;
  #isStale = false;

  constructor(path: string, bounds: JournalBounds) {
    this.#path = path;
    this.#bounds = bounds;
  }

  /**
   * Makes the file where there is none and answers its entries, oldest first. Throws `storage_failed` for what cannot
   * be such a file.
   */
  open(): readonly JournalEntry[] {
    const { text, size } = this.#whileOpen((fd, size) => {
      fchmodSync(fd, 0o600);
      return { text: readTail(fd, size, this.#bounds.maxBytes * 2), size };
    });
    const lines = text.split('\n').filter((line) => line !== '');
    const entries = lines.flatMap((line) => entryOf(line) ?? []);
    if (entries.length === 0 && !isBeginning(text)) throw this.#failed(new Error('it holds something else'));
    this.#lines = lines.length;
    this.#bytes = size;
    this.#isStale = text !== '' && !text.endsWith('\n');
    return entries;
  }

  /**
   * Adds a line, or writes the whole file anew from `kept`, which answers what is kept after this change. Throws
   * `storage_failed`.
   */
  write(line: string, kept: () => Iterable<string>): void {
    const { maxLines, maxBytes } = this.#bounds;
    try {
      const isDue = this.#isStale || this.#lines >= maxLines || this.#bytes > maxBytes;
      if (isDue || !this.#append(line)) this.#rewrite([...kept()]);
    } catch (cause) {
      // Half a line may stand there now.
      this.#isStale = true;
      throw this.#failed(cause);
    }
  }

  /** False when the file is shorter than it was left: somebody emptied or removed it. */
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

  #rewrite(lines: readonly string[]): void {
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    replaceWhole(this.#path, bytes);
    this.#lines = lines.length;
    this.#bytes = bytes.length;
    this.#isStale = false;
  }

  #whileOpen<Value>(use: (fd: number, size: number) => Value): Value {
    let fd: number | undefined;
    try {
      // Links are not followed, and a pipe is not waited for.
      fd = openSync(this.#path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
      const stat = fstatSync(fd);
      if (!stat.isFile()) throw new Error('it is no regular file');
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
    return new ToolError(
      'storage_failed',
      `Dead letters cannot be kept in ${this.#path}: ${reason}. Pass another file, or free some space.`,
      {
        cause,
      },
    );
  }
}

/** An entry as it stands in the file. */
export function lineOf(entry: JournalEntry): string {
  return JSON.stringify(entry);
}

/** The last bytes of a file as text, from the beginning of a line. */
function readTail(fd: number, size: number, maxBytes: number): string {
  const start = Math.max(0, size - maxBytes);
  const buffer = Buffer.alloc(size - start);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(fd, buffer, length, buffer.length - length, start + length);
    if (count === 0) break;
    length += count;
  }
  const text = buffer.subarray(0, length).toString('utf8');
  return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
}

/** Undefined for what is no entry: half a line, or a line of somebody else. */
function entryOf(line: string): JournalEntry | undefined {
  try {
    const { letter, removed } = JSON.parse(line) as { readonly letter?: unknown; readonly removed?: unknown };
    if (isLetter(letter)) return { letter: isLeftOut(letter) ? { ...letter, isWhole: false } : letter };
    return typeof removed === 'string' ? { removed } : undefined;
  } catch {
    return undefined;
  }
}

function isLetter(value: unknown): value is KeptLetter {
  if (typeof value !== 'object' || value === null) return false;
  const { id, call, isWhole = true, error, attempts, at } = value as Partial<KeptLetter>;
  const texts = [id, call?.id, call?.name, error?.message, at];
  return (
    typeof isWhole === 'boolean' &&
    texts.every((text) => typeof text === 'string') &&
    typeof attempts === 'number' &&
    Object.hasOwn(toolErrors, String(error?.code))
  );
}

/**
 * Whether a letter says only by its form that its input was left out, as letters did before they said whether they are
 * whole.
 */
function isLeftOut({ call: { input }, isWhole }: KeptLetter): boolean {
  if (isWhole !== undefined || typeof input !== 'object' || input === null || Object.keys(input).length !== 1)
    return false;
  return /^more than \d+ characters$/.test(String((input as { readonly omitted?: unknown }).omitted));
}

/** Whether a text that holds no entry is empty or the beginning of one. */
function isBeginning(text: string): boolean {
  return ['{"letter":', '{"removed":'].some((start) => start.startsWith(text.slice(0, start.length)));
}
