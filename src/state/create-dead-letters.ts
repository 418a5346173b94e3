import type { ToolCall } from '../core/call.js';
import type { DeadLetter, DeadLetters } from '../host/dead-letters.js';

/** A letter that was kept, under an id of its own. */
export interface KeptLetter extends DeadLetter {
  readonly id: string;
}

/** Dead letters that can be looked at, run again and dropped. */
export interface DeadLetterBox extends DeadLetters {
  /** Oldest first. */
  list(): readonly KeptLetter[];
  /** Takes a letter out and answers its call, to be executed again; undefined for an unknown id. Inputs were scrubbed: a call that held a credential holds a mark now. */
  redrive(id: string): ToolCall | undefined;
  /** Forgets a letter; false for an unknown id. */
  drop(id: string): boolean;
}

/** Keeps the last `max` calls that finally failed, in memory. Default 1,000; the oldest go first. */
export function createDeadLetters({ max = 1_000 }: { readonly max?: number } = {}): DeadLetterBox {
  if (!Number.isSafeInteger(max) || max < 1)
    throw new TypeError(`createDeadLetters: max must be a whole number from 1 up, not ${String(max)}`);
  const letters = new Map<string, KeptLetter>();
  let count = 0;
  return {
    add: (letter) => {
      count += 1;
      const id = `letter_${count}`;
      letters.set(id, { ...letter, id });
      const [oldest] = letters.keys();
      if (letters.size > max && oldest !== undefined) letters.delete(oldest);
    },
    list: () => [...letters.values()],
    redrive: (id) => {
      const letter = letters.get(id);
      letters.delete(id);
      return letter?.call;
    },
    drop: (id) => letters.delete(id),
  };
}
