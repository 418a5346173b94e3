/** Limits for parsing a command line. A line that exceeds a limit is refused. */
export interface CommandLimits {
  /** Longest text, in UTF-16 code units. */
  readonly maxLength: number;
  /** Nesting of substitutions, inner shells, wrappers and expansions. */
  readonly maxDepth: number;
  /** Total parsing work. Each command, word, substitution and expansion costs a number of steps. */
  readonly maxSteps: number;
}

/** Default limits of `assessCommand`. They admit a long script and refuse input made to exhaust the parser. */
export const defaultCommandLimits: CommandLimits = { maxLength: 100_000, maxDepth: 24, maxSteps: 150_000 };
