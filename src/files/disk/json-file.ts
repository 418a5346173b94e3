import { mkdirSync, readFileSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from '../../core/error.js';
import { planningNumbers } from '../../core/fixed-limits.js';
import { unless } from '../../core/support/os-error-code.js';
import { systemTimers, type Timers, waitFor } from '../../core/support/timers.js';
import { isEndedProcess, processIdentity } from './process-identity.js';
import { replaceWhole } from './replace-private-file.js';

/** The new content of a file, and the result for the caller. */
export interface JsonChange<Content, Result> {
  readonly content: Content;
  readonly result: Result;
}

/**
 * A JSON file (0600) that several processes may change, one at a time. Each change replaces the file atomically while a
 * lock file exists; a lock whose process has ended is ignored. A missing folder is created (0700). Throws
 * `storage_failed` for an unusable file. `parse` gets the parsed JSON, or undefined for a missing file, and throws for
 * invalid content.
 */
export function jsonFile<Content>(path: string, parse: (json: unknown) => Content, timers: Timers = systemTimers) {
  // If `path` is a symlink, the target of the link is replaced, not the link.
  const target = unless('ENOENT', () => realpathSync(path)) ?? path;
  let last: { readonly text: string | undefined; readonly content: Content } | undefined;

  function read(): Content {
    return withReason(() => {
      const text = unless('ENOENT', () => readFileSync(target, 'utf8'));
      if (last === undefined || text !== last.text)
        last = { text, content: parse(text === undefined ? undefined : JSON.parse(text)) };
      return last.content;
    });
  }

  async function change<Result>(
    decide: (content: Content) => JsonChange<Content, Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const lock = `${target}.lock`;
    const lastMs = timers.now() + planningNumbers.maxLockWaitMs;
    withReason(() => mkdirSync(dirname(target), { recursive: true, mode: 0o700 }));
    while (!withReason(() => acquire(lock))) {
      signal?.throwIfAborted();
      if (timers.now() > lastMs)
        throw failed(new Error(`it is locked; if no process uses it, remove ${lock} and ${lock}.old`));
      await waitFor(1 + timers.random() * 10, signal, timers);
    }
    // No await here, so that the lock is held only briefly.
    try {
      const before = read();
      const { content, result } = decide(before);
      if (content !== before) {
        const text = JSON.stringify(content);
        withReason(() => replaceWhole(target, text));
        last = { text, content };
      }
      return result;
    } finally {
      rmSync(lock, { force: true });
    }
  }

  function withReason<Value>(work: () => Value): Value {
    try {
      return work();
    } catch (cause) {
      throw failed(cause);
    }
  }

  function failed(cause: unknown): ToolError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new ToolError('storage_failed', `${target} cannot be used: ${reason}. Tell the user.`, { cause });
  }

  return { read, change };
}

/** The lock is a symlink whose target is the identity of its holder, so both are created in one atomic step. */
function acquire(lock: string): boolean {
  if (link(lock)) return true;
  const holder = holderOf(lock);
  // A second lock serializes the removal of a stale lock; otherwise a process could remove the new lock of another.
  if (holder === undefined || !isEndedProcess(holder) || !link(`${lock}.old`)) return false;
  if (holderOf(lock) === holder) rmSync(lock);
  rmSync(`${lock}.old`);
  return link(lock);
}

function link(lock: string): boolean {
  return unless('EEXIST', () => symlinkSync(processIdentity(), lock) ?? true) === true;
}

function holderOf(lock: string): string | undefined {
  return unless('ENOENT', () => readlinkSync(lock));
}
