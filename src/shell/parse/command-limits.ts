/** Limits for parsing a command line; a line beyond any of them is refused. */
export interface CommandLimits {
  /** Longest text, in UTF-16 code units. */
  readonly maxLength: number;
  /** Nesting of substitutions, inner shells, wrappers and expansions. */
  readonly maxDepth: number;
  /** Work: commands, words, substitutions and expansions, by the steps that each takes. */
  readonly maxSteps: number;
}

/** Default limits of `assessCommand`: a long script fits, input made to exhaust the parser does not. */
export const defaultCommandLimits: CommandLimits = { maxLength: 100_000, maxDepth: 24, maxSteps: 150_000 };
