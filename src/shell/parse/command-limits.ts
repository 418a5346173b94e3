/** Limits for parsing a command line; a line beyond any of them is refused. */
export interface CommandLimits {
  /** Longest text, in UTF-16 code units. */
  readonly maxLength: number;
  /** Simple commands, those inside wrappers and substitutions included. */
  readonly maxCommands: number;
  /** Words, those inside wrappers and expansions counted again. */
  readonly maxWords: number;
  /** Nesting of substitutions, inner shells and wrappers. */
  readonly maxDepth: number;
  /** Here-documents and here-strings. */
  readonly maxHereDocuments: number;
  /** Substitutions (`$(`, `<(`, `` ` ``). */
  readonly maxSubstitutions: number;
  /** Parameter expansions with braces (`${`). */
  readonly maxExpansions: number;
  /** Commands and words earlier in pipes, counted once for each command that reads from them. */
  readonly maxPiped: number;
  /** Nesting of parameter and arithmetic expansions in one word. */
  readonly maxExpansionDepth: number;
}

/** Default limits of `assessCommand`: a long script fits, input made to exhaust the parser does not. */
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
