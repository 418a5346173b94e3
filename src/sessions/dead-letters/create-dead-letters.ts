import { randomUUID } from 'node:crypto';
import type { ToolCall } from '../../core/call.js';
import { assertOptions, kindOf, type OptionKinds } from '../../core/support/option-kinds.js';
import { Journal } from '../../files/disk/journal.js';
import type { DeadLetter, DeadLetters } from '../../ports/dead-letters.js';
import { decodeEntry, encodeEntry, entryStarts } from './dead-letter-entry.js';

/** A dead letter that may still want an id. */
export type NewDeadLetter = Omit<DeadLetter, 'id'> & Partial<Pick<DeadLetter, 'id'>>;

/** Dead letters that can be looked at, run again and dropped. */
export interface DeadLetterBox extends DeadLetters {
  /**
   * Keeps a dead letter, in place of an earlier one with its id. Throws `storage_failed` when it could not be written
   * to the file; it is kept in memory all the same.
   */
  add(deadLetter: NewDeadLetter): void;
  /** Oldest first. */
  list(): readonly DeadLetter[];
  /**
   * Takes a dead letter out and answers its call, to be executed again; undefined for an unknown id, and for one that
   * is not whole, which stays. Of a reversible scrubber the call may hold marks, which the tools that change files put
   * back.
   */
  redrive(id: string): ToolCall | undefined;
  /** Forgets a dead letter; false for an unknown id. */
  drop(id: string): boolean;
}

/** Where dead letters are kept, and how many. */
export interface DeadLetterOptions {
  /** Dead letters; the oldest go first. Default 1,000. */
  readonly max?: number | undefined;
  /**
   * Characters of JSON that they come to together; the oldest go first, and an input that is longer by itself is
   * left out of its dead letter. Default 50,000,000.
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
  readonly deadLetter: DeadLetter;
  readonly line: string;
}

/**
 * Keeps the last calls that finally failed: in memory, and with `file` as lines of JSON (0600) that outlive the
 * process. Each is written before `add` returns; one whose removal could not be written is there again after a
 * restart. Throws a TypeError for options that make no sense and `storage_failed` for a file that cannot be used.
 */
export function createDeadLetters(options: DeadLetterOptions = {}): DeadLetterBox {
  assertOptions('createDeadLetters', options, kinds);
  const { max = 1_000, maxChars = 50_000_000, file } = options;
  checkCount('max', max);
  checkCount('maxChars', maxChars);
  const bounds = { maxLines: 2 * max + 100, maxBytes: 4 * maxChars };
  const journal = file === undefined ? undefined : new Journal(file, { what: 'Dead letters', ...bounds });

  const kept = new Map<string, Kept>();
  let chars = 0;
  const remove = (id: string) => {
    chars -= kept.get(id)?.line.length ?? 0;
    return kept.delete(id);
  };
  const keep = (whole: DeadLetter): string => {
    let deadLetter = whole;
    let line = encodeEntry({ letter: deadLetter });
    if (line.length > maxChars) {
      deadLetter = withoutInput(whole, maxChars);
      line = encodeEntry({ letter: deadLetter });
    }
    remove(deadLetter.id);
    kept.set(deadLetter.id, { deadLetter, line });
    chars += line.length;
    for (const id of kept.keys()) {
      if (kept.size <= max && chars <= maxChars) break;
      remove(id);
    }
    return line;
  };
  function* lines(): Iterable<string> {
    for (const { line } of kept.values()) yield line;
  }
  const takeOut = (id: string): boolean => {
    if (!remove(id)) return false;
    try {
      journal?.write(encodeEntry({ removed: id }), lines);
    } catch {
      // The caller has the dead letter, and the next line that can be written sets the file right.
    }
    return true;
  };

  // Entry by entry, so that one which had to go for a newer one does not come back when that is gone.
  for (const entry of journal?.open(decodeEntry, entryStarts) ?? []) {
    if ('letter' in entry) keep(entry.letter);
    else remove(entry.removed);
  }
  return {
    add: (deadLetter) => {
      const line = keep({ ...deadLetter, id: deadLetter.id ?? `letter_${randomUUID()}` });
      journal?.write(line, lines);
    },
    list: () => Array.from(kept.values(), ({ deadLetter }) => deadLetter),
    redrive: (id) => {
      const deadLetter = kept.get(id)?.deadLetter;
      if (deadLetter?.isWhole === false) return undefined;
      takeOut(id);
      return deadLetter?.call;
    },
    drop: takeOut,
  };
}

function withoutInput(deadLetter: DeadLetter, maxChars: number): DeadLetter {
  return {
    ...deadLetter,
    call: { ...deadLetter.call, input: { omitted: `more than ${maxChars} characters` } },
    isWhole: false,
  };
}

function checkCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new TypeError(`createDeadLetters: ${name} must be a whole number from 1 up, not ${String(value)}`);
}
