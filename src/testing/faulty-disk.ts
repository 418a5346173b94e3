import { type Disk, nodeDisk } from '../files/disk/disk.js';

/** A call to the operating system: its number from 1, its name and its arguments. */
export interface DiskCall {
  readonly number: number;
  readonly operation: keyof Disk;
  readonly parameters: readonly unknown[];
}

/**
 * A disk for `hostFiles({ disk })` with faults. A call for which `fault` returns a system error code, such as `ENOSPC`
 * or `EIO`, fails with it and does nothing, except that a failed `close` still frees the descriptor. `release` never
 * fails. `disk` does all other calls; default: the disk of this machine.
 */
export function faultyDisk(fault: (call: DiskCall) => string | undefined, disk: Disk = nodeDisk): Disk {
  let number = 0;
  const wrap = (operation: keyof Disk) => {
    const original = disk[operation] as (...parameters: readonly unknown[]) => unknown;
    return (...parameters: readonly unknown[]) => {
      const code = fault({ number: ++number, operation, parameters });
      if (code === undefined || operation === 'release') return original(...parameters);
      if (operation === 'close') original(...parameters);
      throw Object.assign(new Error(`${code}: injected into ${operation}`), { code });
    };
  };
  const operations = Object.keys(nodeDisk) as (keyof Disk)[];
  return Object.fromEntries(operations.map((operation) => [operation, wrap(operation)])) as unknown as Disk;
}
