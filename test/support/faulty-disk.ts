import { nodeDisk } from 'toolwright/testing';
import type { Disk } from '../../src/files/disk/system-calls.js';

/** A disk that fails at one call, and counts open descriptors. */
export class FaultyDisk {
  readonly disk: Disk;
  /** The number of open descriptors. */
  readonly open = new Set<number>();
  /** Calls so far, by name. */
  readonly calls: string[] = [];
  #failAt = -1;
  #fault: (() => Error) | undefined;
  #maxWrite = Number.POSITIVE_INFINITY;

  constructor() {
    const wrap = (name: keyof Disk) => {
      const original = nodeDisk[name] as (...parameters: unknown[]) => unknown;
      return (...parameters: unknown[]) => {
        const fault = this.calls.length === this.#failAt ? this.#fault : undefined;
        this.calls.push(name);
        if (fault !== undefined) {
          // A descriptor is free after close, even if close fails.
          if (name === 'close' || name === 'release') this.#closed(original, parameters);
          throw fault();
        }
        if (name === 'write')
          return original(parameters[0], short(parameters[1] as Uint8Array[], this.#maxWrite), parameters[2]);
        const result = original(...parameters);
        if (name === 'open') this.open.add(result as number);
        if (name === 'close' || name === 'release') this.open.delete(parameters[0] as number);
        return result;
      };
    };
    this.disk = Object.fromEntries(
      (Object.keys(nodeDisk) as (keyof Disk)[]).map((name) => [name, wrap(name)]),
    ) as unknown as Disk;
  }

  /** Makes the call with this number, from 0, fail with a system error. */
  failAt(call: number, code: string): void {
    this.#failAt = call;
    this.#fault = () => Object.assign(new Error(`${code}: injected`), { code });
  }

  /** Limits the bytes of each write. */
  writeAtMost(bytes: number): void {
    this.#maxWrite = bytes;
  }

  /** Resets the counters. */
  reset(): void {
    this.calls.length = 0;
    this.#failAt = -1;
  }

  #closed(original: (...parameters: unknown[]) => unknown, parameters: unknown[]): void {
    original(...parameters);
    this.open.delete(parameters[0] as number);
  }
}

function short(slices: readonly Uint8Array[], maxBytes: number): Uint8Array[] {
  let left = maxBytes;
  return slices.flatMap((slice) => {
    const taken = slice.subarray(0, Math.max(0, left));
    left -= taken.length;
    return taken.length > 0 ? [taken] : [];
  });
}
