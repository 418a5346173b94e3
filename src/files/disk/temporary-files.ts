import { randomUUID } from 'node:crypto';
import type { OpenDirectory } from './folders.js';
import { isEndedProcess, processIdentity } from './process-identity.js';
import type { Disk } from './system-calls.js';

const form = /^\.toolwright-([0-9a-f]+-\d+-\d+)-[0-9a-f]{16}\.tmp$/;
// The identity does not change during the life of the process.
const identity = processIdentity();

/** An unguessable name for a file that is being written. The name contains the identity of the writing process. */
export function temporaryName(): string {
  // Faster than random bytes, since Node generates UUIDs in batches.
  return `.toolwright-${identity}-${randomUUID().replaceAll('-', '').slice(-16)}.tmp`;
}

/** True for the names that {@link temporaryName} makes. */
export function isTemporaryName(name: string): boolean {
  return form.test(name);
}

/**
 * True if the writer has ended, or if the file is older than `maxAgeMs`, since a writer on another machine or in
 * another container cannot be checked.
 */
function isAbandoned(name: string, ageMs: number): boolean {
  const writer = form.exec(name)?.[1];
  return writer !== undefined && (ageMs > maxAgeMs || isEndedProcess(writer));
}

// No write of a single file takes an hour.
const maxAgeMs = 3_600_000;
// After a folder with more than `manyNames` names was listed, it is not listed again for `restFactor` times the
// duration of that listing. A smaller folder is listed at every write, because its listing can be slow only on a busy
// machine.
const manyNames = 2_000;
const restFactor = 100;

/** Removes the temporary files that killed writers left in a folder. A large folder is not listed at every write. */
export class AbandonedFiles {
  readonly #restUntil = new Map<string, number>();
  readonly #disk: Disk;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Removes the abandoned files of a folder. Ignores failures, because the following write reports them better. */
  sweep(directory: OpenDirectory): void {
    const start = performance.now();
    if (start < (this.#restUntil.get(directory.path) ?? 0)) return;
    try {
      const names = this.#disk.names(directory.at('.'));
      if (names.length > manyNames) this.#restAfter(directory.path, start);
      for (const name of names) {
        if (isTemporaryName(name)) this.#removeIfAbandoned(directory, name);
      }
    } catch {
      // A folder that cannot be listed can still be written to.
    }
  }

  #restAfter(path: string, start: number): void {
    const end = performance.now();
    if (this.#restUntil.size >= 1_000) this.#restUntil.clear();
    this.#restUntil.set(path, end + (end - start) * restFactor);
  }

  #removeIfAbandoned(directory: OpenDirectory, name: string): void {
    const stats = this.#disk.statLink(directory.at(name));
    if (stats?.isFile() !== true) return;
    if (isAbandoned(name, Date.now() - Number(stats.mtimeNs / 1_000_000n))) this.#disk.remove(directory.at(name));
  }
}
