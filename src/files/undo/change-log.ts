import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller, CallScope } from '../../core/context.js';
import { defaultLimits, type Limits } from '../../core/limits.js';
import { quietly } from '../../core/support/listeners.js';
import { openJournal } from '../disk/journal.js';
import { type ChangeEntry, decodeEntry, encodeEntry, type FileChange } from './file-change.js';

type UndoLimits = Pick<Limits['write'], 'maxUndoChanges' | 'maxUndoBytes'>;

/** Options of {@link FileChanges}. */
export interface FileChangesOptions {
  /** Private folder for a journal that outlives the process. Without a folder, changes are kept in memory. */
  readonly folder?: string | undefined;
  /** Default: the limits in `defaultLimits.write`. */
  readonly limits?: UndoLimits;
  /** Called for each recorded change. */
  readonly onAdd?: ((change: FileChange, scope: CallScope) => void) | undefined;
}

/**
 * The changes that tools made to files and that can still be undone, by session and turn. They are kept in memory or in
 * a journal on disk.
 */
export class FileChanges {
  readonly #options: FileChangesOptions;
  readonly #journal: ReturnType<typeof openJournal> | undefined;
  readonly #turns = new Map<string, number>();
  readonly #turnBeganMs = new Map<string, number>();
  /** For each session, the start of each turn in which a command ran, by number of the turn. */
  readonly #commandTurns = new Map<string, Map<number, number>>();
  /** For each session, the latest turn that has lost some of its changes to the limits. */
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

  /** Begins a new turn: the changes of this session from now on are undone together. */
  beginTurn({ sessionId }: Caller): void {
    this.#turns.set(sessionId, (this.#turns.get(sessionId) ?? 0) + 1);
    this.#turnBeganMs.set(sessionId, Date.now());
  }

  /** Notes that a command ran in this turn: it may have changed files without a record. */
  noteCommand({ sessionId }: Caller): void {
    const turns = this.#commandTurns.get(sessionId) ?? new Map<number, number>();
    turns.set(this.#turns.get(sessionId) ?? 0, this.#turnBeganMs.get(sessionId) ?? Date.now());
    this.#commandTurns.set(sessionId, turns);
  }

  /**
   * When a turn with a command began: the first such turn since `turn`, or the last such turn if no `turn` is given.
   */
  commandsSinceMs({ sessionId }: Caller, turn?: number): number | undefined {
    const turns = [...(this.#commandTurns.get(sessionId) ?? [])];
    return (turn === undefined ? turns.at(-1) : turns.find(([each]) => each >= turn))?.[1];
  }

  /** Drops the changes of a session, unless they are kept in a journal. */
  endSession(sessionId: string): void {
    this.#turnBeganMs.delete(sessionId);
    this.#commandTurns.delete(sessionId);
    if (this.#journal !== undefined) return;
    this.#turns.delete(sessionId);
    this.#cutTurns.delete(sessionId);
    for (const change of this.#changes) if (change.sessionId === sessionId) this.#bytes -= sizeOf(change);
    this.#changes = this.#changes.filter((change) => change.sessionId !== sessionId);
  }

  /** Adds a change. Returns false if it is too large to be undone; then only its metadata is kept. */
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

  /** The changes of this session that are not undone, oldest first. */
  of({ sessionId }: Caller): FileChange[] {
    return this.#changes.filter((change) => change.sessionId === sessionId);
  }

  /** A change and those that followed it in the same file, newest first. */
  since({ id, path }: FileChange): FileChange[] {
    return this.#changes.filter((change) => change.path === path && change.id >= id).reverse();
  }

  /** The last change of a file by this session that is not undone. */
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

  /** Whether older changes of the same turn were dropped. */
  isTurnCut({ sessionId, turn }: FileChange): boolean {
    return this.#cutTurns.get(sessionId) === turn;
  }

  /** Drops a change that was undone. */
  drop(change: FileChange): void {
    this.#changes = this.#changes.filter(({ id }) => id !== change.id);
    this.#bytes -= sizeOf(change);
    this.#note({ undone: change.id });
  }

  get #limits(): UndoLimits {
    return this.#options.limits ?? defaultLimits.write;
  }

  /** The changes in the journal that are not undone. */
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
    // An error must not hide that the file was written. The change stays in memory, without a line in the journal.
    quietly(() => {
      if (isShorter) this.#journal?.replace(this.#lines());
      else this.#journal?.write(encodeEntry(entry), () => this.#lines());
    });
  }

  #lines(): readonly string[] {
    return this.#changes.map((change) => encodeEntry({ ...change, isTurnCut: this.isTurnCut(change) || undefined }));
  }

  /** Drops the oldest changes above the limits. Returns whether any were dropped. */
  #forgetOldest(): boolean {
    const { maxUndoChanges, maxUndoBytes } = this.#limits;
    let count = 0;
    while (this.#changes.length - count > maxUndoChanges || this.#bytes > maxUndoBytes) {
      const oldest = this.#changes[count];
      if (oldest === undefined) break;
      this.#bytes -= sizeOf(oldest);
      this.#cutTurns.set(oldest.sessionId, oldest.turn);
      count++;
    }
    this.#changes.splice(0, count);
    return count > 0;
  }
}

function journalIn(folder: string, { maxUndoChanges, maxUndoBytes }: UndoLimits) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return openJournal(join(folder, 'changes.jsonl'), {
    what: 'Changes',
    maxLines: 2 * maxUndoChanges + 100,
    // Base64 takes a third more than the bytes, and the lines contain paths too.
    maxBytes: 2 * maxUndoBytes + 1_000 * maxUndoChanges,
  });
}

function sizeOf({ span }: Pick<FileChange, 'span'>): number {
  return span.removed.length + span.inserted.length;
}

function withoutBytes(change: FileChange): FileChange {
  return { ...change, span: { offset: 0, removed: Buffer.alloc(0), inserted: Buffer.alloc(0) }, isTooLarge: true };
}
