import { toolErrors } from '../../core/error.js';
import { isRecord } from '../../core/support/value-tests.js';
import type { DeadLetter } from '../../ports/dead-letters.js';

/** A line of the journal: a dead letter that was added, or the id of one that was removed. */
export type DeadLetterEntry = { readonly letter: DeadLetter } | { readonly removed: string };

/** Prefixes of valid lines. */
export const entryStarts = ['{"letter":', '{"removed":'] as const;

/** Decodes a line; undefined for an incomplete or foreign line. */
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

/** Whether the input was left out. Older files do not record this; it is then inferred from the input. */
function isLeftOut({ call: { input }, isWhole }: DeadLetter): boolean {
  if (isWhole !== undefined || !isRecord(input) || Object.keys(input).length !== 1) return false;
  return /^more than \d+ characters$/.test(String(input.omitted));
}
