import type { Caller } from '../core/context.js';
import { defaultLimits, type Limits } from '../core/limits.js';
import { ChangeJournal } from './change-journal.js';
import type { FileChange } from './file-change.js';

/** How much {@link FileChanges} keeps, and where. */
export interface FileChangesOptions {
  /** Private folder for a journal that outlives the process. Without it changes are kept in memory. */
  readonly folder?: string | undefined;
  /** Default: those of `defaultLimits.write`. */
  readonly limits?: Pick<Limits['write'], 'maxUndoChanges' | 'maxUndoBytes'>;
}

/** The changes that tools made to files and that can still be taken back, by session and turn. */
export class FileChanges {
  readonly #options: FileChangesOptions;
  readonly #journal: ChangeJournal | undefined;
  readonly #turns = new Map<string, number>();
  #changes: FileChange[];
  #bytes = 0;
  #nextId: number;

  constructor(options: FileChangesOptions = {}) {
    this.#options = options;
    this.#journal = options.folder === undefined ? undefined : new ChangeJournal(options.folder);
    this.#changes = this.#journal?.load() ?? [];
    for (const change of this.#changes) {
      this.#bytes += sizeOf(change);
      this.#turns.set(change.sessionId, Math.max(change.turn, this.#turns.get(change.sessionId) ?? 0));
    }
    this.#nextId = 1 + Math.max(0, ...this.#changes.map(({ id }) => id));
    this.#forgetOldest();
    this.#journal?.compact(this.#changes);
  }

  /** Begins a new turn: what this session changes from now on is taken back together. */
  beginTurn({ sessionId }: Caller): void {
    this.#turns.set(sessionId, (this.#turns.get(sessionId) ?? 0) + 1);
  }

  /** Adds a change that was just made. */
  add(caller: Caller, change: Omit<FileChange, 'id' | 'sessionId' | 'turn' | 'at'>): void {
    const { sessionId } = caller;
    const turn = this.#turns.get(sessionId) ?? 0;
    const added = { ...change, id: this.#nextId++, sessionId, turn, at: new Date().toISOString() };
    this.#changes.push(added);
    this.#bytes += sizeOf(added);
    const isShorter = this.#forgetOldest();
    try {
      if (isShorter) this.#journal?.compact(this.#changes);
      else this.#journal?.add(added);
    } catch {
      // The file is written by now. Without its line the change can be taken back until the process ends.
    }
  }

  /** The last change of a file by this session that was not taken back. */
  lastOf({ sessionId }: Caller, path: string): FileChange | undefined {
    return this.#changes.findLast((change) => change.sessionId === sessionId && change.path === path);
  }

  /** The changes of the latest turn in which this session changed anything, newest first. */
  lastTurn({ sessionId }: Caller): FileChange[] {
    const own = this.#changes.filter((change) => change.sessionId === sessionId);
    const turn = own.at(-1)?.turn;
    return own.filter((change) => change.turn === turn).reverse();
  }

  /** The files that {@link lastTurn} changed. */
  turnPaths(caller: Caller): string[] {
    return [...new Set(this.lastTurn(caller).map(({ path }) => path))];
  }

  /** Forgets a change that was taken back. */
  drop(change: FileChange): void {
    this.#changes = this.#changes.filter(({ id }) => id !== change.id);
    this.#bytes -= sizeOf(change);
    this.#journal?.add({ undone: change.id });
  }

  #forgetOldest(): boolean {
    const { maxUndoChanges: maxChanges, maxUndoBytes: maxBytes } = this.#options.limits ?? defaultLimits.write;
    let forgotten = 0;
    while (this.#changes.length - forgotten > maxChanges || (this.#bytes > maxBytes && forgotten < this.#changes.length)) {
      const oldest = this.#changes[forgotten++];
      if (oldest !== undefined) this.#bytes -= sizeOf(oldest);
    }
    this.#changes.splice(0, forgotten);
    return forgotten > 0;
  }
}

function sizeOf({ span }: FileChange): number {
  return span.removed.length + span.inserted.length;
}
