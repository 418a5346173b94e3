import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { waitFor } from '../../core/support/timer.js';
import type { Timers } from '../../core/support/timers.js';
import { hostIdentity, isEndedHost } from '../../files/disk/host-identity.js';

const pauseMs = 20;
/** A process that works holds its mark for milliseconds. */
const maxWaitMs = 15_000;

/**
 * Does some work while no other process of this machine does such work with the same file, which is marked by another
 * one beside it. The mark of a process that has ended counts for nothing. Rejects with what the operating system says
 * where no mark can be made, and after 15 seconds of a mark that stays.
 */
export async function whileLocked<Result>(path: string, timers: Timers, work: () => Result): Promise<Result> {
  const lock = `${path}.lock`;
  const end = timers.now() + maxWaitMs;
  while (!isTaken(lock)) {
    if (timers.now() > end) throw new Error(`${lock} stays; it can be removed where nothing uses the jobs`);
    const holder = textOf(lock);
    if (holder === undefined) continue;
    if (isEndedHost(holder)) takeAway(lock, holder);
    else await waitFor(pauseMs * (0.5 + timers.random()), undefined, timers);
  }
  // Nothing of it waits, so that no other work of this process comes between.
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Whether the mark was made, with its text at once. */
function isTaken(lock: string): boolean {
  const temporary = `${lock}.${randomUUID()}`;
  writeFileSync(temporary, hostIdentity(), { flag: 'wx', mode: 0o600 });
  try {
    linkSync(temporary, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Takes away the mark of a process that has ended; that of another one, made meanwhile, is put back. */
function takeAway(lock: string, holder: string): void {
  const taken = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, taken);
    if (textOf(taken) !== holder) linkSync(taken, lock);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  } finally {
    rmSync(taken, { force: true });
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
