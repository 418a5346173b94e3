import { assertOptions, kindOf, type OptionKinds } from '../core/support/option-kinds.js';
import { CredentialScan, scrubWhole } from './credential-scan.js';
import { KnownValues } from './known-values.js';
import type { SecretLookup } from './redaction-marks.js';
import type { Marker } from './rules/rule.js';
import { guardStream, scrubOrWithhold } from './scrub-guard.js';
import { SecretVault } from './vault.js';

/**
 * Scrubs text that arrives in pieces, cut anywhere: all that comes out, joined, is `text` of all that went in, joined, but
 * for what stood before the place where a value is recognised, which has gone out by then, and the end of a credential
 * of more than 10 kB on one line.
 */
export interface ScrubberStream {
  /** Takes the next piece; gives what is decided by now, which may be nothing. */
  push(chunk: string): string;
  /** Gives the rest. The stream is not used after it. */
  end(): string;
}

/** Takes credentials out of text. */
export interface Scrubber {
  /**
   * The text with a mark in place of every credential: `[REDACTED]`, or `[REDACTED:kind#n]` from a reversible scrubber.
   * A value that was recognised is hidden in all later texts and streams too. Scrubbing twice is scrubbing once; the
   * number of lines stays. Never throws.
   */
  text(text: string): string;
  /** The same for text in pieces. */
  stream(): ScrubberStream;
  /**
   * Adds literal values that are secret from now on, for streams that are open too: those that commands find in their
   * environment. Without it they are not looked for.
   */
  learn?(values: readonly string[]): void;
  /**
   * Only on a reversible scrubber: the secret behind a mark that this scrubber gave; undefined for any other text. It
   * is meant for tools that put secrets back where they were; nothing that a model can reach may get it. From then on
   * the secret is known by value.
   */
  readonly secretOf?: SecretLookup;
}

/** A scrubber that can be told more. */
export interface CredentialScrubber extends Scrubber {
  learn(values: readonly string[]): void;
}

/** What a scrubber is made from. */
export interface ScrubberOptions {
  /** Literal values that are secret, whatever they look like. Default: none. */
  readonly values?: readonly string[] | undefined;
  /**
   * Give each secret a mark of its own, `[REDACTED:kind#n]`, so that Write, Edit and NotebookEdit can put it back where
   * the file holds it. The secrets are kept in memory, as many as 4,096, for as long as the scrubber lives. Default
   * false.
   */
  readonly reversible?: boolean | undefined;
}

const kinds: OptionKinds<ScrubberOptions> = { values: kindOf.texts, reversible: kindOf.flag };

/** A result is scrubbed by its tool and again by who passes it on; one that is longer is not kept for that. */
const maxKeptChars = 65_536;
/** Titles, reasons and the like, which are scrubbed again and again. */
const maxLineChars = 512;
const maxLines = 64;
/** No credential has the form of a short word, such as the name of a field: only a known value may be in it. */
const shortWord = /^[\w.+-]{0,12}$/;

/** How many recognised values are remembered. */
const maxRecognised = 2_048;
const maxScans = 4;

const plainMarker: Marker = () => '[REDACTED]';
const noValues = new KnownValues();

/**
 * Makes a scrubber for credentials of all known forms and for the given values: as they are, in base64, URL-encoded,
 * and as JSON writes them. Values too short or too common to be told from ordinary text are ignored: under 6
 * characters, 6 or 7 with letters only or digits only, words such as `production`. Time is linear in the length of the
 * text. Where scrubbing itself fails, a notice stands in place of the text. Throws a TypeError for an unknown option or
 * one of the wrong kind.
 */
export function createScrubber(options: ScrubberOptions = {}): CredentialScrubber {
  assertOptions('createScrubber', options, kinds);
  const { values = [], reversible = false } = options;
  const known = new KnownValues();
  known.learn(values);
  const vault = reversible ? new SecretVault() : undefined;
  const marker: Marker = vault === undefined ? plainMarker : (kind, secret) => vault.markOf(kind, secret);
  const recognised = new KnownValues(maxRecognised);
  // What was answered, and what was known then: to scrub it again, or with numbers of lines, would change nothing.
  const lines = new Set<string>();
  let last = '';
  let knownThen = 0;
  const forgetIfMoreIsKnown = () => {
    if (knownThen === known.revision + recognised.revision) return;
    knownThen = known.revision + recognised.revision;
    lines.clear();
    last = '';
  };
  return {
    text: (text) => {
      forgetIfMoreIsKnown();
      if (lines.has(text) || text === last || isNumbered(text, last)) return text;
      const scrubbed = scrubOrWithhold(text, (whole) =>
        shortWord.test(whole)
          ? knownReplaced(whole, known, recognised, marker)
          : scrubAll(whole, known, recognised, marker),
      );
      forgetIfMoreIsKnown();
      if (lines.size >= maxLines) lines.clear();
      if (scrubbed.length <= maxLineChars) lines.add(scrubbed);
      else if (scrubbed.length <= maxKeptChars) last = scrubbed;
      return scrubbed;
    },
    stream: () => {
      const scan = new CredentialScan(marker, recognised);
      let pending = '';
      // Waits only where a known value may have been cut.
      const withoutKnown = (chunk: string, isLast: boolean) => {
        const text = pending + chunk;
        const { output, end } = known.replace(text, isLast ? text.length : known.openAt(text), marker);
        pending = text.slice(end);
        return output;
      };
      return guardStream({
        push: (chunk) => scan.push(withoutKnown(chunk, false)),
        end: () => scan.end(withoutKnown('', true)),
      });
    },
    learn: (more) => known.learn(more),
    ...(vault !== undefined && { secretOf: (mark: string) => takeOut(mark, vault, known) }),
  };
}

/** Whether a text is another with the number of each line before it. */
function isNumbered(text: string, plain: string): boolean {
  if (text.length <= plain.length || !/^ *\d+[\t→]/.test(text)) return false;
  return text.replace(/^ *\d+[\t→]/gm, '').trimEnd() === plain.trimEnd();
}

/**
 * A secret that leaves the vault may turn up where its form does not show, so it is looked for by value from now on.
 */
function takeOut(mark: string, vault: SecretVault, known: KnownValues): string | undefined {
  const secret = vault.secretOf(mark);
  // The first and last lines of keys are the same in all of them.
  if (secret !== undefined && !secret.startsWith('-----')) known.learn([secret]);
  return secret;
}

function knownReplaced(text: string, known: KnownValues, recognised: KnownValues, marker: Marker): string {
  const plain = known.replace(text, text.length, marker).output;
  return recognised.replace(plain, plain.length, marker).output;
}

/** A value may stand before the place where it is recognised, so a text with a new one is scanned again. */
function scrubAll(text: string, known: KnownValues, recognised: KnownValues, marker: Marker): string {
  const plain = known.replace(text, text.length, marker).output;
  for (let scans = 1; ; scans++) {
    const { revision } = recognised;
    const scrubbed = scrubWhole(plain, marker, recognised);
    if (recognised.revision === revision || scans === maxScans || !recognised.isIn(scrubbed)) return scrubbed;
  }
}

/**
 * Takes credentials of all known forms out of text: each becomes `[REDACTED]`, everything else stays as it is. It
 * remembers nothing from one text to the next. See `createScrubber`.
 */
export function scrubCredentials(text: string): string {
  return scrubOrWithhold(text, (whole) => scrubAll(whole, noValues, new KnownValues(), plainMarker));
}
