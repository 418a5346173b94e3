import type { Disk } from './disk.js';
import type { OpenDirectory } from './open-directory.js';
import { isAbandoned, isTemporaryName } from './temporary-name.js';

// No write of a single file takes an hour.
const maxAgeMs = 3_600_000;
// A folder with more names is listed for a hundredth of the time at most, and not at every write. How long listing took
// says nothing of a smaller one: the machine was busy.
const manyNames = 2_000;
const restFactor = 100;

/**
 * Removes the temporary files that killed writers left in a folder. A large folder is not looked through at every
 * write.
 */
export class AbandonedFiles {
  readonly #restUntil = new Map<string, number>();
  readonly #disk: Disk;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Looks through the folder. Failures are ignored: the write that follows tells them better. */
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
    if (isAbandoned(name, Date.now() - Number(stats.mtimeNs / 1_000_000n), maxAgeMs))
      this.#disk.remove(directory.at(name));
  }
}
