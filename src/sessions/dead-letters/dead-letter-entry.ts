import { toolErrors } from '../../core/error.js';
import { isRecord } from '../../core/support/is-record.js';
import type { DeadLetter } from '../../ports/dead-letters.js';

/** What a line of the journal of dead letters says: which was kept, or the id of one that was taken out. */
export type DeadLetterEntry = { readonly letter: DeadLetter } | { readonly removed: string };

/** How the lines of such a journal begin. */
export const entryStarts = ['{"letter":', '{"removed":'] as const;

/** An entry as it stands in the file. */
export function encodeEntry(entry: DeadLetterEntry): string {
  return JSON.stringify(entry);
}

/** Undefined for what is no entry: half a line, or a line of somebody else. */
export function decodeEntry(line: string): DeadLetterEntry | undefined {
  try {
    const { letter, removed } = JSON.parse(line) as { readonly letter?: unknown; readonly removed?: unknown };
    if (isDeadLetter(letter)) return { letter: isLeftOut(letter) ? { ...letter, isWhole: false } : letter };
    return typeof removed === 'string' ? { removed } : undefined;
  } catch {
    return undefined;
  }
}

function isDeadLetter(value: unknown): value is DeadLetter {
  if (!isRecord(value)) return false;
  const { id, call, isWhole = true, error, attempts, at } = value as Partial<DeadLetter>;
  const texts = [id, call?.id, call?.name, error?.message, at];
  return (
    typeof isWhole === 'boolean' &&
    texts.every((text) => typeof text === 'string') &&
    typeof attempts === 'number' &&
    Object.hasOwn(toolErrors, String(error?.code))
  );
}

/** Files of older versions do not say whether a dead letter is whole; only the form of its input does. */
function isLeftOut({ call: { input }, isWhole }: DeadLetter): boolean {
  if (isWhole !== undefined || !isRecord(input) || Object.keys(input).length !== 1) return false;
  return /^more than \d+ characters$/.test(String(input.omitted));
}
