import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller, CallScope } from '../../core/context.js';
import { defaultLimits, type Limits } from '../../core/limits.js';
import { Journal } from '../disk/journal.js';
import { type ChangeEntry, decodeEntry, encodeEntry, type FileChange } from './file-change.js';

type UndoLimits = Pick<Limits['write'], 'maxUndoChanges' | 'maxUndoBytes'>;

/** How much {@link FileChanges} keeps, and where. */
export interface FileChangesOptions {
  /** Private folder for a journal that outlives the process. Without it changes are kept in memory. */
  readonly folder?: string | undefined;
  /** Default: those of `defaultLimits.write`. */
  readonly limits?: UndoLimits;
  /** Hears of each change that was recorded. */
  readonly onAdd?: ((change: FileChange, scope: CallScope) => void) | undefined;
}

/** The changes that tools made to files and that can still be taken back, by session and turn. */
export class FileChanges {
  readonly #options: FileChangesOptions;
  readonly #journal: Journal | undefined;
  readonly #turns = new Map<string, number>();
  readonly #turnBeganMs = new Map<string, number>();
  /** By session the turns in which a command ran, and when they began. */
  readonly #commandTurns = new Map<string, Map<number, number>>();
  /** The latest turn of each session of which changes are forgotten. */
  readonly #cutTurns = new Map<string, number>();
  #changes: FileChange[];
  #bytes = 0;
  #nextId: number;

  constructor(options: FileChangesOptions = {}) {
    this.#options = options;
    this.#journal = options.folder === undefined ? undefined : journalIn(options.folder, this.#limits);
    this.#changes = this.#load();
    for (const change of this.#changes) this.#bytes += sizeOf(change);
    this.#nextId = 1 + Math.max(0, ...this.#changes.map(({ id }) => id));
    this.#forgetOldest();
    this.#journal?.replace(this.#lines());
  }

  /** Begins a new turn: what this session changes from now on is taken back together. */
  beginTurn({ sessionId }: Caller): void {
    this.#turns.set(sessionId, (this.#turns.get(sessionId) ?? 0) + 1);
    this.#turnBeganMs.set(sessionId, Date.now());
  }

  /** Remembers that a command ran in this turn: it may have changed files of which nothing is recorded. */
  noteCommand({ sessionId }: Caller): void {
    const turns = this.#commandTurns.get(sessionId) ?? new Map<number, number>();
    turns.set(this.#turns.get(sessionId) ?? 0, this.#turnBeganMs.get(sessionId) ?? Date.now());
    this.#commandTurns.set(sessionId, turns);
  }

  /** When the first turn with a command began, from `turn` on; without one, the last such turn. */
  commandsSinceMs({ sessionId }: Caller, turn?: number): number | undefined {
    const turns = [...(this.#commandTurns.get(sessionId) ?? [])];
    return (turn === undefined ? turns.at(-1) : turns.find(([each]) => each >= turn))?.[1];
  }

  /** Forgets what a session changed, unless the record is one that outlives the process. */
  endSession(sessionId: string): void {
    this.#turnBeganMs.delete(sessionId);
    this.#commandTurns.delete(sessionId);
    if (this.#journal !== undefined) return;
    this.#turns.delete(sessionId);
    this.#cutTurns.delete(sessionId);
    for (const change of this.#changes) if (change.sessionId === sessionId) this.#bytes -= sizeOf(change);
    this.#changes = this.#changes.filter((change) => change.sessionId !== sessionId);
  }

  /**
   * Adds a change that was just made, and answers whether it can be taken back: one that is too large for the record
   * cannot, and is only known to have been.
   */
  add(scope: CallScope, change: Omit<FileChange, 'id' | 'sessionId' | 'turn' | 'at'>): boolean {
    const { sessionId } = scope.caller;
    const turn = this.#turns.get(sessionId) ?? 0;
    const made = { ...change, id: this.#nextId++, sessionId, turn, at: new Date().toISOString() };
    const added = sizeOf(made) > this.#limits.maxUndoBytes ? withoutBytes(made) : made;
    this.#changes.push(added);
    this.#bytes += sizeOf(added);
    this.#note(added, this.#forgetOldest());
    this.#options.onAdd?.(added, scope);
    return added.isTooLarge !== true;
  }

  /** The changes of this session that were not taken back, oldest first. */
  of({ sessionId }: Caller): FileChange[] {
    return this.#changes.filter((change) => change.sessionId === sessionId);
  }

  /** A change and those that followed it in the same file, newest first. */
  since({ id, path }: FileChange): FileChange[] {
    return this.#changes.filter((change) => change.path === path && change.id >= id).reverse();
  }

  /** The last change of a file by this session that was not taken back. */
  lastOf({ sessionId }: Caller, path: string): FileChange | undefined {
    return this.#changes.findLast((change) => change.sessionId === sessionId && change.path === path);
  }

  /** The changes of the latest turn in which this session changed anything, newest first. */
  lastTurn(caller: Caller): FileChange[] {
    const own = this.of(caller);
    const turn = own.at(-1)?.turn;
    return own.filter((change) => change.turn === turn).reverse();
  }

  /** The files that {@link lastTurn} changed. */
  turnPaths(caller: Caller): string[] {
    return [...new Set(this.lastTurn(caller).map(({ path }) => path))];
  }

  /** Whether older changes of the turn of a change are forgotten. */
  isTurnCut({ sessionId, turn }: FileChange): boolean {
    return this.#cutTurns.get(sessionId) === turn;
  }

  /** Forgets a change that was taken back. */
  drop(change: FileChange): void {
    this.#changes = this.#changes.filter(({ id }) => id !== change.id);
    this.#bytes -= sizeOf(change);
    this.#note({ undone: change.id });
  }

  get #limits(): UndoLimits {
    return this.#options.limits ?? defaultLimits.write;
  }

  /** What the journal holds, less what was taken back. */
  #load(): FileChange[] {
    const changes = new Map<number, FileChange>();
    for (const entry of this.#journal?.open(decodeEntry, ['{"']) ?? []) {
      if ('undone' in entry) changes.delete(entry.undone);
      else {
        const { id, sessionId, turn } = entry;
        changes.set(id, entry);
        this.#turns.set(sessionId, Math.max(turn, this.#turns.get(sessionId) ?? 0));
        if (entry.isTurnCut === true) this.#cutTurns.set(sessionId, turn);
      }
    }
    return [...changes.values()];
  }

  #note(entry: ChangeEntry, isShorter = false): void {
    try {
      if (isShorter) this.#journal?.replace(this.#lines());
      else this.#journal?.write(encodeEntry(entry), () => this.#lines());
    } catch {
      // The file is written by now, which no error may hide. Without its line this is known until the process ends.
    }
  }

  #lines(): readonly string[] {
    return this.#changes.map((change) => encodeEntry({ ...change, isTurnCut: this.isTurnCut(change) || undefined }));
  }

  /** Keeps to the limits: past the number of changes the oldest are forgotten, past the bytes they lose theirs. */
  #forgetOldest(): boolean {
    const { maxUndoChanges, maxUndoBytes } = this.#limits;
    const forgotten = this.#changes.splice(0, Math.max(0, this.#changes.length - maxUndoChanges));
    for (const change of forgotten) {
      this.#bytes -= sizeOf(change);
      this.#cutTurns.set(change.sessionId, change.turn);
    }
    let isEmptied = false;
    for (let index = 0; this.#bytes > maxUndoBytes && index < this.#changes.length; index++) {
      const oldest = this.#changes[index];
      if (oldest === undefined || sizeOf(oldest) === 0) continue;
      this.#bytes -= sizeOf(oldest);
      this.#changes[index] = withoutBytes(oldest);
      isEmptied = true;
    }
    return forgotten.length > 0 || isEmptied;
  }
}

function journalIn(folder: string, { maxUndoChanges, maxUndoBytes }: UndoLimits): Journal {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return new Journal(join(folder, 'changes.jsonl'), {
    what: 'Changes',
    maxLines: 2 * maxUndoChanges + 100,
    // What is kept takes a third more in base64, and its lines hold paths.
    maxBytes: 2 * maxUndoBytes + 1_000 * maxUndoChanges,
  });
}

function sizeOf({ span }: Pick<FileChange, 'span'>): number {
  return span.removed.length + span.inserted.length;
}

function withoutBytes(change: FileChange): FileChange {
  return { ...change, span: { offset: 0, removed: Buffer.alloc(0), inserted: Buffer.alloc(0) }, isTooLarge: true };
}
