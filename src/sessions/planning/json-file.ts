import { readFileSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { ToolError } from '../../core/error.js';
import { planningNumbers } from '../../core/numbers.js';
import { waitFor } from '../../core/support/timer.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { hostIdentity, isEndedHost } from '../../files/disk/host-identity.js';
import { replaceWhole } from '../../files/disk/replace-whole.js';

/** What a file is to hold from now on, and what to answer. */
export interface FileChange<Content, Result> {
  readonly content: Content;
  readonly result: Result;
}

/**
 * A file of JSON (0600) that several processes change, one at a time: whole or not at all, under a lock beside it that
 * falls with its process. Throws `storage_failed` for what cannot be such a file.
 */
export class JsonFile<Content> {
  readonly #path: string;
  readonly #parse: (json: unknown) => Content;
  readonly #timers: Timers;

  /** `parse` gets what the file holds, undefined where there is none, and throws for what it cannot be. */
  constructor(path: string, parse: (json: unknown) => Content, timers: Timers = systemTimers) {
    // A link stays, and what it leads to is changed.
    this.#path = unless('ENOENT', () => realpathSync(path)) ?? path;
    this.#parse = parse;
    this.#timers = timers;
  }

  read(): Content {
    return this.#withReason(() => {
      const text = textOf(this.#path);
      return this.#parse(text === undefined ? undefined : JSON.parse(text));
    });
  }

  /** Where `decide` throws, the file stays as it is. */
  async change<Result>(
    decide: (content: Content) => FileChange<Content, Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const lock = `${this.#path}.lock`;
    const lastMs = this.#timers.now() + planningNumbers.maxLockWaitMs;
    while (!this.#withReason(() => take(lock))) {
      signal.throwIfAborted();
      if (this.#timers.now() > lastMs)
        throw this.#failed(new Error(`it is locked; where nobody uses it, remove ${lock} and ${lock}.old`));
      await waitFor(1 + this.#timers.random() * 10, signal, this.#timers);
    }
    // Nothing is awaited while the lock is held, so that it is held for a moment only.
    try {
      const { content, result } = decide(this.read());
      this.#withReason(() => replaceWhole(this.#path, JSON.stringify(content)));
      return result;
    } finally {
      rmSync(lock, { force: true });
    }
  }

  #withReason<Value>(work: () => Value): Value {
    try {
      return work();
    } catch (cause) {
      throw this.#failed(cause);
    }
  }

  #failed(cause: unknown): ToolError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new ToolError('storage_failed', `${this.#path} cannot be used: ${reason}. Tell the user.`, { cause });
  }
}

/** A lock is a symbolic link that names its process: it is there with its content, or not at all. */
function take(lock: string): boolean {
  if (link(lock)) return true;
  const holder = holderOf(lock);
  // One process at a time takes an abandoned lock away, or it might take the next one.
  if (holder === undefined || !isEndedHost(holder) || !link(`${lock}.old`)) return false;
  if (holderOf(lock) === holder) rmSync(lock);
  rmSync(`${lock}.old`);
  return false;
}

function link(lock: string): boolean {
  return unless('EEXIST', () => symlinkSync(hostIdentity(), lock) ?? true) === true;
}

function holderOf(lock: string): string | undefined {
  return unless('ENOENT', () => readlinkSync(lock));
}

function textOf(path: string): string | undefined {
  return unless('ENOENT', () => readFileSync(path, 'utf8'));
}

/** What the work answers; undefined where the system refuses it with this code. */
function unless<Value>(code: string, work: () => Value): Value | undefined {
  try {
    return work();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === code) return undefined;
    throw thrown;
  }
}
