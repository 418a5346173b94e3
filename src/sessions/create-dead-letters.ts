import { randomUUID } from 'node:crypto';
import type { ToolCall } from '../core/call.js';
import { isErrorCode, ToolError } from '../core/error.js';
import { assertOptions, ifPossible, isRecord, kindOf, type OptionKinds } from '../core/support/check-values.js';
import { quietly } from '../core/support/listeners.js';
import { headOf } from '../core/text/cut.js';
import { openJournal } from '../files/disk/journal.js';
import type { DeadLetter, DeadLetters } from '../ports/dead-letters.js';

/** A dead letter with or without an id. */
export type NewDeadLetter = Omit<DeadLetter, 'id'> & Partial<Pick<DeadLetter, 'id'>>;

/** A store of dead letters that can be listed, retried and dropped. */
export interface DeadLetterBox extends DeadLetters {
  /**
   * Stores or replaces a dead letter. Throws `storage_failed` if it is too long, or if the file could not be written:
   * in that case the dead letter is kept in memory only.
   */
  add(deadLetter: NewDeadLetter): void;
  /** Oldest first. */
  list(): readonly DeadLetter[];
  /**
   * Removes a dead letter and returns its call, to be executed again; undefined for an unknown id, and for an
   * incomplete call, which stays. With a reversible scrubber the call may contain placeholders; tools that change
   * files replace them with the secrets.
   */
  redrive(id: string): ToolCall | undefined;
  /** Removes a dead letter; false for an unknown id. */
  drop(id: string): boolean;
}

/** Options of {@link createDeadLetters}. */
export interface DeadLetterOptions {
  /** Maximum number of dead letters; the oldest are removed first. Default 1,000. */
  readonly max?: number | undefined;
  /**
   * Maximum characters of all dead letters together, as JSON. If one dead letter alone is longer, its input is dropped.
   * Default 50,000,000.
   */
  readonly maxChars?: number | undefined;
  /** Absolute path of a file in an existing folder, for one process at a time. Default: memory only. */
  readonly file?: string | undefined;
}

const kinds: OptionKinds<DeadLetterOptions> = {
  max: kindOf.count,
  maxChars: kindOf.count,
  file: kindOf.absolutePath,
};

interface Kept {
  readonly deadLetter: DeadLetter;
  readonly line: string;
}

/**
 * Stores the last calls that failed after all retries: in memory, and with `file` as lines of JSON (0600) that outlive
 * the process. Each call is written before `add` returns. A removal that could not be written is undone by a restart.
 * Throws a TypeError for invalid options and `storage_failed` for an unusable file.
 */
export function createDeadLetters(options: DeadLetterOptions = {}): DeadLetterBox {
  assertOptions('createDeadLetters', options, kinds);
  const { max = 1_000, maxChars = 50_000_000, file } = options;
  const bounds = { maxLines: 2 * max + 100, maxBytes: 4 * maxChars };
  const journal = file === undefined ? undefined : openJournal(file, { what: 'Dead letters', ...bounds });

  const kept = new Map<string, Kept>();
  let chars = 0;
  const remove = (id: string) => {
    chars -= kept.get(id)?.line.length ?? 0;
    return kept.delete(id);
  };
  const keep = (whole: DeadLetter): string | undefined => {
    let deadLetter = whole;
    let line = JSON.stringify({ letter: deadLetter });
    if (line.length > maxChars) {
      deadLetter = shortened(whole, maxChars);
      line = JSON.stringify({ letter: deadLetter });
    }
    if (line.length > maxChars) return undefined;
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
    // The caller has the dead letter already; after an error the next successful write corrects the file.
    quietly(() => journal?.write(JSON.stringify({ removed: id }), lines));
    return true;
  };

  // Entries are applied in the order in which they were written. A dead letter that newer ones displaced is therefore
  // displaced again, even if the newer ones were removed later.
  for (const entry of journal?.open(decodeEntry, entryStarts) ?? []) {
    if ('letter' in entry) keep(entry.letter);
    else remove(entry.removed);
  }
  return {
    add: (deadLetter) => {
      const line = keep({ ...deadLetter, id: deadLetter.id ?? `letter_${randomUUID()}` });
      if (line === undefined)
        throw new ToolError(
          'storage_failed',
          `The dead letter has more than ${maxChars} characters, even without its input.`,
        );
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

function shortened(deadLetter: DeadLetter, maxChars: number): DeadLetter {
  const { code, message } = deadLetter.error;
  return {
    ...deadLetter,
    // One character may become six in JSON (\u0000), so the message takes at most half of `maxChars`.
    error: { code, message: headOf(message, Math.floor(maxChars / 12)) },
    call: { ...deadLetter.call, input: { omitted: `more than ${maxChars} characters` } },
    isWhole: false,
  };
}

/** A line of the journal: a dead letter that was added, or the id of a dead letter that was removed. */
type DeadLetterEntry = { readonly letter: DeadLetter } | { readonly removed: string };

const entryStarts = ['{"letter":', '{"removed":'] as const;

/** Decodes a line; undefined for an incomplete or foreign line. */
function decodeEntry(line: string): DeadLetterEntry | undefined {
  const entry = ifPossible((): unknown => JSON.parse(line));
  const { letter, removed } = isRecord(entry) ? entry : {};
  if (isDeadLetter(letter)) return { letter };
  return typeof removed === 'string' ? { removed } : undefined;
}

function isDeadLetter(value: unknown): value is DeadLetter {
  if (!isRecord(value)) return false;
  const { id, call, isWhole = true, error, attempts, at } = value as Partial<DeadLetter>;
  const texts = [id, call?.id, call?.name, error?.message, at];
  return (
    typeof isWhole === 'boolean' &&
    texts.every((text) => typeof text === 'string') &&
    typeof attempts === 'number' &&
    isErrorCode(error?.code)
  );
}
