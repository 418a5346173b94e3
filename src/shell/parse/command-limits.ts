/** How much of a command line is read before the reader gives up; a line past any of these is refused. */
export interface CommandLimits {
  /** Longest text, in UTF-16 code units. */
  readonly maxLength: number;
  /** Most simple commands, those inside wrappers and substitutions included. */
  readonly maxCommands: number;
  /** Most words, those inside wrappers and expansions counted again. */
  readonly maxWords: number;
  /** Deepest nesting of substitutions, inner shells and wrappers. */
  readonly maxDepth: number;
  /** Most here-documents and here-strings. */
  readonly maxHereDocuments: number;
  /** Most substitutions (`$(`, `<(`, `` ` ``). */
  readonly maxSubstitutions: number;
  /** Most parameter expansions with braces (`${`). */
  readonly maxExpansions: number;
  /**
   * Most commands and words that stand before others in their pipes, counted once for each command that reads from
   * them.
   */
  readonly maxPiped: number;
  /** Deepest nesting of parameter and arithmetic expansions in one word. */
  readonly maxExpansionDepth: number;
}

/** The limits `assessCommand` uses when none are given: a long script fits, a bomb does not. */
export const defaultCommandLimits: CommandLimits = {
  maxLength: 100_000,
  maxCommands: 500,
  maxWords: 10_000,
  maxDepth: 24,
  maxHereDocuments: 100,
  maxSubstitutions: 1_000,
  maxExpansions: 3_000,
  maxPiped: 60_000,
  maxExpansionDepth: 8,
};
