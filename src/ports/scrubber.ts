import type { SecretLookup } from '../core/text/redaction-marks.js';

/**
 * Scrubs a text that arrives in pieces, cut anywhere. The joined output equals the result of `text` for the whole
 * input, but two things may stay unscrubbed: occurrences of a value before the place where the value is recognised, and
 * the end of a credential of more than 10 kB on one line.
 */
export interface ScrubberStream {
  /** Adds a piece. Returns the text whose scrubbing is complete so far; may be empty. */
  push(chunk: string): string;
  /** Returns the rest. The stream must not be used afterwards. */
  end(): string;
}

/** Removes credentials from text. */
export interface Scrubber {
  /**
   * Replaces every credential by `[REDACTED]`, or by `[REDACTED:kind#n]` from a reversible scrubber. A recognised value
   * is hidden in all later texts and streams too. Scrubbing a scrubbed text changes nothing; the number of lines stays.
   * Never throws.
   */
  text(text: string): string;
  /** Starts a stream that scrubs a text in pieces. */
  stream(): ScrubberStream;
  /**
   * Adds secret values to hide, such as those in the environment of commands; open streams hide them too. Default: such
   * values are not hidden.
   */
  learn?(values: readonly string[]): void;
  /**
   * Only on a reversible scrubber: returns the secret of a mark that this scrubber made, undefined for any other text.
   * For tools that write secrets back; never give this function to code that a model can call. A returned secret is
   * hidden in all later texts, like a recognised value.
   */
  readonly secretOf?: SecretLookup;
}
