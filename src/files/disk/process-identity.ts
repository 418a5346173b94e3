import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { ifPossible } from '../../core/support/check-values.js';
import { lazily } from '../../core/support/once.js';

const form = /^([0-9a-f]{8})-(\d+)-(\d+)$/;

/**
 * An identifier of this process, `machine-pid-start`. Later processes check with it whether this one has ended. The
 * machine part covers host name and pid namespace, so containers that share a folder ignore each other's identifiers.
 */
export function processIdentity(pid: number = process.pid): string {
  return `${machineKey()}-${pid}-${startOf(pid) ?? 0}`;
}

/** True if `identity` names a process of this machine that has ended. */
export function isEndedProcess(identity: string): boolean {
  const [, machine, pid, start] = form.exec(identity) ?? [];
  if (machine !== machineKey()) return false;
  if (!exists(Number(pid))) return true;
  const now = startOf(Number(pid));
  return now !== undefined && now !== start;
}

const machineKey = lazily(() => {
  const pidNamespace = ifPossible(() => readlinkSync('/proc/self/ns/pid')) ?? '';
  return createHash('sha256').update(`${hostname()}|${pidNamespace}`).digest('hex').slice(0, 8);
});

/** Field 22 of proc(5) `stat`: start time in clock ticks since boot. Undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  const stat = ifPossible(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
