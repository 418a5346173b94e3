import type { Caller } from '../core/context.js';
import { defaultLimits, type Limits } from '../core/limits.js';
import { checksumOf } from '../files/read/content-checksum.js';

/** A state of a file. */
export interface SeenFile {
  /** Canonical path. */
  readonly path: string;
  /** What the store calls this state. */
  readonly version: string;
  /** A mark of the whole content, as {@link ReadLedger.hashOf} makes it; undefined for files too large for one. */
  readonly hash: string | undefined;
  /** Which part of it was shown, and by which call, where a call showed it. */
  readonly part?: string;
  readonly callId?: string;
}

/** How much a {@link ReadLedger} hashes and remembers. */
export type LedgerLimits = Pick<Limits['read'], 'hashMaxBytes' | 'maxSeenFiles'>;

/**
 * Remembers which files each agent of each session has read or written, and in what state. The files seen longest ago
 * are forgotten first.
 */
export class ReadLedger {
  readonly #seen = new Map<string, SeenFile>();
  readonly #limits: LedgerLimits;

  /** Content up to `hashMaxBytes` is compared by hash, larger content by version. */
  constructor(limits: Partial<LedgerLimits> = {}) {
    this.#limits = { ...defaultLimits.read, ...limits };
  }

  /** Notes the state that was read or written. */
  note(caller: Caller, seen: SeenFile): void {
    const key = keyOf(caller, seen.path);
    this.#seen.delete(key);
    this.#seen.set(key, seen);
    if (this.#seen.size <= this.#limits.maxSeenFiles) return;
    for (const oldest of this.#seen.keys()) {
      this.#seen.delete(oldest);
      break;
    }
  }

  /** Forgets what the agents of a session have seen. */
  endSession(sessionId: string): void {
    for (const key of this.#seen.keys()) if (key.startsWith(`${sessionId}\0`)) this.#seen.delete(key);
  }

  /** Notes content that this caller has just written. */
  noteWritten(caller: Caller, path: string, version: string, slices: readonly Uint8Array[]): void {
    this.note(caller, { path, version, hash: this.hashOf(slices) });
  }

  /**
   * The mark that content of these bytes is noted with, its CRC-32 and size; undefined where it is too large for one.
   */
  hashOf(slices: readonly Uint8Array[]): string | undefined {
    const size = slices.reduce((sum, slice) => sum + slice.length, 0);
    return size > this.#limits.hashMaxBytes ? undefined : checksumOf(slices);
  }

  /** The call that showed the same part of the same content to this caller before, if that was what it saw last. */
  shownBefore(caller: Caller, shown: SeenFile): string | undefined {
    const seen = this.#seen.get(keyOf(caller, shown.path));
    if (seen?.part !== shown.part) return undefined;
    const isSame = shown.hash === undefined ? seen?.version === shown.version : seen?.hash === shown.hash;
    return isSame ? seen?.callId : undefined;
  }

  /**
   * Whether the content is what this caller saw last. Equal content is fresh, whatever happened to the file meanwhile.
   */
  compare(caller: Caller, path: string, version: string, bytes: Uint8Array): 'unseen' | 'fresh' | 'stale' {
    const seen = this.#seen.get(keyOf(caller, path));
    if (seen === undefined) return 'unseen';
    const hash = seen.hash === undefined ? undefined : this.hashOf([bytes]);
    const isSame = hash === undefined ? seen.version === version : seen.hash === hash;
    return isSame ? 'fresh' : 'stale';
  }
}

function keyOf(caller: Caller, path: string): string {
  return `${caller.sessionId}\0${caller.agentId ?? ''}\0${path}`;
}
