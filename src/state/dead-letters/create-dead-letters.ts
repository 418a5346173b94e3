import { randomUUID } from 'node:crypto';
import type { ToolCall } from '../../core/call.js';
import { assertOptions, kindOf, type OptionKinds } from '../../core/support/option-kinds.js';
import type { DeadLetter, DeadLetters } from '../../host/dead-letters.js';
import { DeadLetterJournal, lineOf } from './dead-letter-journal.js';

/** A letter that was kept, under its id. */
export type KeptLetter = DeadLetter;

/** A letter that may still want an id. */
export type NewLetter = Omit<DeadLetter, 'id'> & Partial<Pick<DeadLetter, 'id'>>;

/** Dead letters that can be looked at, run again and dropped. */
export interface DeadLetterBox extends DeadLetters {
  /**
   * Keeps a letter, in place of an earlier one with its id. Throws `storage_failed` when it could not be written to the
   * file; it is kept in memory all the same.
   */
  add(letter: NewLetter): void;
  /** Oldest first. */
  list(): readonly KeptLetter[];
  /**
   * Takes a letter out and answers its call, to be executed again; undefined for an unknown id, and for a letter that
   * is not whole, which stays. Of a reversible scrubber the call may hold marks, which the tools that change files put
   * back.
   */
  redrive(id: string): ToolCall | undefined;
  /** Forgets a letter; false for an unknown id. */
  drop(id: string): boolean;
}

/** Where dead letters are kept, and how many. */
export interface DeadLetterOptions {
  /** Letters; the oldest go first. Default 1,000. */
  readonly max?: number | undefined;
  /**
   * Characters of JSON that the letters come to together; the oldest go first, and an input that is longer by itself is
   * left out of its letter. Default 50,000,000.
   */
  readonly maxChars?: number | undefined;
  /**
   * Absolute path of a file in an existing folder, for one process at a time; what it holds is read at once. Default:
   * in memory only.
   */
  readonly file?: string | undefined;
}

const kinds: OptionKinds<DeadLetterOptions> = {
  max: kindOf.number,
  maxChars: kindOf.number,
  file: kindOf.absolutePath,
};

interface Kept {
  readonly letter: KeptLetter;
  readonly line: string;
}

/**
 * Keeps the last calls that finally failed: in memory, and with `file` as lines of JSON (0600) that outlive the
 * process. A letter is written before `add` returns; one whose removal could not be written is there again after a
 * restart. Throws a TypeError for options that make no sense and `storage_failed` for a file that cannot be used.
 */
export function createDeadLetters(options: DeadLetterOptions = {}): DeadLetterBox {
  assertOptions('createDeadLetters', options, kinds);
  const { max = 1_000, maxChars = 50_000_000, file } = options;
  checkCount('max', max);
  checkCount('maxChars', maxChars);
  const journal =
    file === undefined ? undefined : new DeadLetterJournal(file, { maxLines: 2 * max + 100, maxBytes: 4 * maxChars });

  const letters = new Map<string, Kept>();
  let chars = 0;
  const remove = (id: string) => {
    chars -= letters.get(id)?.line.length ?? 0;
    return letters.delete(id);
  };
  const keep = (whole: KeptLetter): string => {
    let letter = whole;
    let line = lineOf({ letter });
    if (line.length > maxChars) {
      letter = withoutInput(whole, maxChars);
      line = lineOf({ letter });
    }
    remove(letter.id);
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
      const line = keep({ ...letter, id: letter.id ?? `letter_${randomUUID()}` });
      journal?.write(line, lines);
    },
    list: () => Array.from(letters.values(), ({ letter }) => letter),
    redrive: (id) => {
      const letter = letters.get(id)?.letter;
      if (letter?.isWhole === false) return undefined;
      takeOut(id);
      return letter?.call;
    },
    drop: takeOut,
  };
}

function withoutInput(letter: KeptLetter, maxChars: number): KeptLetter {
  return {
    ...letter,
    call: { ...letter.call, input: { omitted: `more than ${maxChars} characters` } },
    isWhole: false,
  };
}

function checkCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new TypeError(`createDeadLetters: ${name} must be a whole number from 1 up, not ${String(value)}`);
}
