import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../paths/storage-error.js';
import { decodeEntry, encodeEntry, type FileChange, type JournalEntry } from './file-change.js';

const fileName = 'changes.jsonl';
const privateFile = 0o600;
const privateFolder = 0o700;

/** Keeps changes in a file of a private folder, one line each, so that they can be taken back after a restart. */
export class ChangeJournal {
  readonly #path: string;

  /** Makes the folder where it is missing. */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: privateFolder });
    this.#path = join(folder, fileName);
  }

  /** The changes that were not taken back, oldest first. A line that a crash cut short is left out. */
  load(): FileChange[] {
    const changes = new Map<number, FileChange>();
    for (const line of this.#text().split('\n')) {
      const entry = decodeEntry(line);
      if (entry === undefined) continue;
      if ('undone' in entry) changes.delete(entry.undone);
      else changes.set(entry.id, entry);
    }
    return [...changes.values()];
  }

  add(entry: JournalEntry): void {
    appendFileSync(this.#path, `${encodeEntry(entry)}\n`, { mode: privateFile });
  }

  /** Writes the journal anew with these changes only. */
  compact(changes: readonly FileChange[]): void {
    const temporary = `${this.#path}.new`;
    writeFileSync(temporary, changes.map((change) => `${encodeEntry(change)}\n`).join(''), { mode: privateFile });
    chmodSync(temporary, privateFile);
    renameSync(temporary, this.#path);
  }

  #text(): string {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch (thrown) {
      if (errorCode(thrown) === 'ENOENT') return '';
      throw thrown;
    }
  }
}
