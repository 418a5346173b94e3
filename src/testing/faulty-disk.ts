import { type Disk, nodeDisk } from '../files/disk/disk.js';

/** One call to the operating system: the how-manieth of all, from 1, which, and with what. */
export interface DiskCall {
  readonly number: number;
  readonly operation: keyof Disk;
  readonly parameters: readonly unknown[];
}

/**
 * A disk for `hostFiles({ disk })` on which every call that `fault` answers with a code of the system, such as `ENOSPC`
 * or `EIO`, fails with it and does nothing, but that a descriptor is free after `close` whatever it says. `release`,
 * which answers nobody, does not fail. Everything else is done by `disk`. Default: this machine's.
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
