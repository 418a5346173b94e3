import { CredentialScanner } from './credential-scan.js';
import { type Marker, startOfText } from './credential-scan-state.js';
import { guardStream, scrubOrWithhold } from './scrub-guard.js';
import { KnownValueStage, PatternStage } from './scrub-stream.js';
import { KnownValues } from './secret-known-values.js';

/** Scrubs text that arrives in pieces, cut anywhere: all that comes out, joined, is `text` of all that went in, joined. */
export interface ScrubberStream {
  /** Takes the next piece; gives what is decided by now, which may be nothing. */
  push(chunk: string): string;
  /** Gives the rest. The stream is not used after it. */
  end(): string;
}

/** Takes credentials out of text. */
export interface Scrubber {
  /** The text with `[REDACTED]` in place of every credential. Scrubbing twice is scrubbing once; the number of lines stays. Never throws. */
  text(text: string): string;
  /** The same for text in pieces. */
  stream(): ScrubberStream;
  /** Adds literal values that are secret from now on, for streams that are open too. */
  learn(values: readonly string[]): void;
}

/** What a scrubber is made from. */
export interface ScrubberOptions {
  /** Literal values that are secret, whatever they look like. Default: none. */
  readonly values?: readonly string[];
}

/** Text shorter than this holds no credential of a known form. */
const minCredentialChars = 8;

const marker: Marker = () => '[REDACTED]';

/**
 * Makes a scrubber for credentials of all known forms and for the given values: as they are, in base64, URL-encoded, and as JSON writes
 * them. Values too short or too common to be told from ordinary text are ignored: under 6 characters, 6 or 7 with letters only or digits only, words
 * such as `production`. Time is linear in the length of the text. Where scrubbing itself fails, a notice stands in place of the text.
 */
export function createScrubber({ values = [] }: ScrubberOptions = {}): Scrubber {
  const scanner = sharedScanner();
  const known = new KnownValues();
  known.learn(values);
  return {
    text: (text) => scrubOrWithhold(text, (whole) => scrubWhole(whole, scanner, known)),
    stream: () => {
      const first = new KnownValueStage(known, marker);
      const second = new PatternStage(scanner, marker);
      return guardStream({ push: (chunk) => second.push(first.push(chunk)), end: () => second.push(first.end()) + second.end() });
    },
    learn: (more) => known.learn(more),
  };
}

function scrubWhole(text: string, scanner: CredentialScanner, known: KnownValues): string {
  const plain = known.isEmpty ? text : known.replace(text, text.length, marker).output;
  if (plain.length < minCredentialChars) return plain;
  return scanner.scan({ text: plain, start: 0, limit: plain.length, isLast: true }, startOfText, marker).output;
}

/** The scanner keeps nothing of what it scans, so one serves every scrubber; it is made when the first is. */
const sharedScanner = once(() => new CredentialScanner());

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** Takes credentials of all known forms out of text: each becomes `[REDACTED]`, everything else stays as it is. See `createScrubber`. */
export function scrubCredentials(text: string): string {
  return createScrubber().text(text);
}
