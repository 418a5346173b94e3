import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import type { ToolCall } from '../core/call.js';
import type { DeadLetter, DeadLetters } from '../host/dead-letters.js';
import { LetterJournal, lineOf } from './letter-journal.js';

/** A letter that was kept, under an id of its own. */
export interface KeptLetter extends DeadLetter {
  readonly id: string;
}

/** Dead letters that can be looked at, run again and dropped. */
export interface DeadLetterBox extends DeadLetters {
  /** Keeps a letter. Throws `storage_failed` when it could not be written to the file; it is kept in memory all the same. */
  add(letter: DeadLetter): void;
  /** Oldest first. */
  list(): readonly KeptLetter[];
  /** Takes a letter out and answers its call, to be executed again; undefined for an unknown id. Inputs were scrubbed: a call that held a credential holds a mark now. */
  redrive(id: string): ToolCall | undefined;
  /** Forgets a letter; false for an unknown id. */
  drop(id: string): boolean;
}

/** Where dead letters are kept, and how many. */
export interface DeadLetterOptions {
  /** Letters; the oldest go first. Default 1,000. */
  readonly max?: number;
  /** Characters of JSON that the letters come to together; the oldest go first. Default 50,000,000. */
  readonly maxChars?: number;
  /** Absolute path of a file in an existing folder, for one process at a time; what it holds is read at once. Default: in memory only. */
  readonly file?: string;
}

interface Kept {
  readonly letter: KeptLetter;
  readonly line: string;
}

/**
 * Keeps the last calls that finally failed: in memory, and with `file` as lines of JSON (0600) that outlive the process. A letter is
 * written before `add` returns; one whose removal could not be written is there again after a restart. Throws a TypeError for options
 * that make no sense and `storage_failed` for a file that cannot be used.
 */
export function createDeadLetters(options: DeadLetterOptions = {}): DeadLetterBox {
  const { max = 1_000, maxChars = 50_000_000, file } = options;
  checkCount('max', max);
  checkCount('maxChars', maxChars);
  if (file !== undefined && !isAbsolute(file)) throw new TypeError(`createDeadLetters: file must be an absolute path, not ${file}`);
  const journal = file === undefined ? undefined : new LetterJournal(file, { maxLines: 2 * max + 100, maxBytes: 4 * maxChars });

  const letters = new Map<string, Kept>();
  let chars = 0;
  const remove = (id: string) => {
    chars -= letters.get(id)?.line.length ?? 0;
    return letters.delete(id);
  };
  const keep = (letter: KeptLetter): string => {
    const line = lineOf({ letter });
    letters.set(letter.id, { letter, line });
    chars += line.length;
    for (const id of letters.keys()) {
      if (letters.size <= max && chars <= maxChars) break;
      remove(id);
    }
    return line;
  };
  function* lines(): Iterable<string> {
    for (const { line } of letters.values()) yield line;
  }
  const takeOut = (id: string): boolean => {
    if (!remove(id)) return false;
    try {
      journal?.write(lineOf({ removed: id }), lines);
    } catch {
      // The caller has the letter, and the next line that can be written sets the file right.
    }
    return true;
  };

  // Entry by entry, so that a letter which had to go for a newer one does not come back when that is gone.
  for (const entry of journal?.open() ?? []) {
    if ('letter' in entry) keep(entry.letter);
    else remove(entry.removed);
  }
  return {
    add: (letter) => {
      const line = keep({ ...letter, id: `letter_${randomUUID()}` });
      journal?.write(line, lines);
    },
    list: () => Array.from(letters.values(), ({ letter }) => letter),
    redrive: (id) => {
      const kept = letters.get(id);
      takeOut(id);
      return kept?.letter.call;
    },
    drop: takeOut,
  };
}

function checkCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new TypeError(`createDeadLetters: ${name} must be a whole number from 1 up, not ${String(value)}`);
}
