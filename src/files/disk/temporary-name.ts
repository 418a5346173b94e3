import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

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
