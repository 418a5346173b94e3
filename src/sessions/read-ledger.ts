import type { Caller } from '../core/context.js';
import { defaultLimits, type Limits } from '../core/limits.js';
import { LatestMap } from '../core/support/latest-map.js';
import { checksumOf } from '../files/read/content-checksum.js';

/** The state of a file at the time when an agent read or wrote it. */
export interface SeenFile {
  /** Canonical path. */
  readonly path: string;
  /** Version string of the file system. */
  readonly version: string;
  /** Checksum of the whole content by {@link ReadLedger.hashOf}; undefined for files that are too large. */
  readonly hash: string | undefined;
  /** The part that was shown, and the call that showed it, if any. */
  readonly part?: string;
  readonly callId?: string;
}

/** Limits of {@link ReadLedger}. */
export type LedgerLimits = Pick<Limits['read'], 'hashMaxBytes' | 'maxSeenFiles'>;

/** Records which files each agent has read or written, and their state; the least recently seen are forgotten. */
export class ReadLedger {
  readonly #seen: LatestMap<string, SeenFile>;
  readonly #limits: LedgerLimits;

  /** Content up to `hashMaxBytes` is compared by checksum, larger content by version. */
  constructor(limits: Partial<LedgerLimits> = {}) {
    this.#limits = { ...defaultLimits.read, ...limits };
    this.#seen = new LatestMap(this.#limits.maxSeenFiles);
  }

  /** Records the state that was read or written. */
  note(caller: Caller, seen: SeenFile): void {
    this.#seen.set(keyOf(caller, seen.path), seen);
  }

  /** Forgets the files of a session. */
  endSession(sessionId: string): void {
    for (const key of this.#seen.keys()) if (key.startsWith(`${sessionId}\0`)) this.#seen.delete(key);
  }

  noteWritten(caller: Caller, path: string, version: string, slices: readonly Uint8Array[]): void {
    this.note(caller, { path, version, hash: this.hashOf(slices) });
  }

  /** The checksum of content (CRC-32 and size); undefined for content that is too large. */
  hashOf(slices: readonly Uint8Array[]): string | undefined {
    const size = slices.reduce((sum, slice) => sum + slice.length, 0);
    return size > this.#limits.hashMaxBytes ? undefined : checksumOf(slices);
  }

  /** The call that last showed this file to this caller, if it showed the same part of the same content. */
  shownBefore(caller: Caller, shown: SeenFile): string | undefined {
    const seen = this.#seen.get(keyOf(caller, shown.path));
    if (seen?.part !== shown.part) return undefined;
    const isSame = shown.hash === undefined ? seen?.version === shown.version : seen?.hash === shown.hash;
    return isSame ? seen?.callId : undefined;
  }

  /**
   * Compares content with what this caller saw last. Equal content is fresh even if the file was rewritten. Without
   * `bytes` only the versions are compared.
   */
  compare(caller: Caller, path: string, version: string, bytes: Uint8Array | undefined): 'unseen' | 'fresh' | 'stale' {
    const seen = this.#seen.get(keyOf(caller, path));
    if (seen === undefined) return 'unseen';
    const hash = seen.hash === undefined ? undefined : bytes && this.hashOf([bytes]);
    const isSame = hash === undefined ? seen.version === version : seen.hash === hash;
    return isSame ? 'fresh' : 'stale';
  }
}

function keyOf(caller: Caller, path: string): string {
  return `${caller.sessionId}\0${caller.agentId ?? ''}\0${path}`;
}
