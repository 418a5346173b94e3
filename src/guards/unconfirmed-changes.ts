/** What a change in between may forgive. */
export interface Forgivable {
  /** Whether there has been such a change since it was last seen. */
  isFresh: boolean;
  /** How often a change counted of which nobody knows whether it matters. */
  guesses: number;
}

/** A command may change anything, and mostly changes nothing that matters. */
const maxGuesses = 3;

/** Lets a change count that may or may not matter, as long as that has not been done too often. */
export function guess(state: Forgivable): void {
  if (state.isFresh || state.guesses >= maxGuesses) return;
  state.isFresh = true;
  state.guesses += 1;
}
