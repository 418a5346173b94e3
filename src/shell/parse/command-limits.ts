/** Limits for parsing a command line. A line that exceeds a limit is refused. */
export interface CommandLimits {
  /**
   * Longest command line, in UTF-16 code units. The line and all shell text nested in it may together be four times as
   * long.
   */
  readonly maxLength: number;
  /** Deepest nesting of substitutions, inner shells, wrappers and expansions. */
  readonly maxDepth: number;
  /**
   * Maximum parsing work, in steps. Each command, word, here-document, substitution and expansion costs a number of
   * steps.
   */
  readonly maxSteps: number;
}

/** Default limits of `assessCommand`. They accept a long script and refuse input that is made to exhaust the parser. */
export const defaultCommandLimits: CommandLimits = { maxLength: 100_000, maxDepth: 24, maxSteps: 150_000 };
