import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Disk } from './disk.js';
import type { OpenDirectory } from './open-directory.js';

const form = /^\.toolwright-([0-9a-z]+)-([0-9a-z]+)-[0-9a-f]{16}\.tmp$/;

/** A name nobody can guess for a file that is being written; it says which process of which machine writes it. */
export function temporaryName(): string {
  return `.toolwright-${machine()}-${process.pid.toString(36)}-${random()}.tmp`;
}

// Node makes these many at a time, unlike single random bytes.
function random(): string {
  return randomUUID().replaceAll('-', '').slice(-16);
}

/** True for the names that {@link temporaryName} makes. */
export function isTemporaryName(name: string): boolean {
  return form.test(name);
}

/**
 * True when the writer of a temporary file is surely gone: its process does not live any more, or the file is older
 * than `maxAgeMs` where the process is one of another machine or container, which cannot be asked.
 */
export function isAbandoned(name: string, ageMs: number, maxAgeMs: number): boolean {
  const [, where, pid] = form.exec(name) ?? [];
  if (where === undefined || pid === undefined) return false;
  return ageMs > maxAgeMs || (where === machine() && !isAlive(Number.parseInt(pid, 36)));
}

// Process ids mean something only within one machine and one namespace of processes.
function machine(): string {
  let space = '';
  try {
    space = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has it.
  }
  let sum = 0;
  for (const character of hostname() + space) sum = (Math.imul(sum, 31) + character.charCodeAt(0)) >>> 0;
  return sum.toString(36);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

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
