import { assertOptions, kindOf, type OptionKinds } from '../core/support/check-values.js';
import { LatestMap } from '../core/support/latest-map.js';
import type { Scrubber } from '../ports/scrubber.js';
import { CredentialScan } from './credential-scan.js';
import { KnownValues } from './known-values.js';
import type { CredentialKind, Marker } from './rules/rule.js';

/** A scrubber that learns values. */
export interface CredentialScrubber extends Scrubber {
  learn(values: readonly string[]): void;
}

/** Options of `createScrubber`. */
export interface ScrubberOptions {
  /** Secret values of any form. Default: none. */
  readonly values?: readonly string[] | undefined;
  /**
   * Gives each secret its own mark, `[REDACTED:kind#n]`, so that Write, Edit and NotebookEdit can restore the secret if
   * the file contains it. Up to 4,096 secrets stay in memory as long as the scrubber. Default false.
   */
  readonly reversible?: boolean | undefined;
}

const kinds: OptionKinds<ScrubberOptions> = { values: kindOf.texts, reversible: kindOf.flag };

/**
 * A tool scrubs its result, and the pipeline scrubs it again. The last result is remembered up to this length, so that
 * the second pass is skipped.
 */
const maxKeptChars = 65_536;
/** Results up to this length, such as titles and reasons, are remembered because the same texts recur. */
const maxLineChars = 512;
const maxLines = 64;
/** No credential has the form of a short word, such as a field name; such a word can only contain a known value. */
const shortWord = /^[\w.+-]{0,12}$/;

const maxScans = 4;

const plainMarker: Marker = () => '[REDACTED]';

/**
 * Makes a scrubber for credentials of all known forms and for the given values: unchanged, in base64, URL-encoded and
 * JSON-escaped. Ignores values under 6 characters, values of 6 or 7 characters that are only letters or only digits,
 * and common words such as `production`. Time is linear in the length of the text. If scrubbing fails, a notice replaces
 * the text. Throws a TypeError for an unknown option or one of the wrong kind.
 */
export function createScrubber(options: ScrubberOptions = {}): CredentialScrubber {
  assertOptions('createScrubber', options, kinds);
  const { values = [], reversible = false } = options;
  const known = new KnownValues();
  known.learn(values);
  const vault = reversible ? new SecretVault() : undefined;
  const marker: Marker = vault === undefined ? plainMarker : (kind, secret) => vault.markOf(kind, secret);
  // The last outputs, and the revision of the known values at that time. Scrubbing such a text again, or with line
  // numbers, changes nothing.
  const lines = new Set<string>();
  let last = '';
  let knownThen = 0;
  const forgetIfMoreIsKnown = () => {
    if (knownThen === known.revision) return;
    knownThen = known.revision;
    lines.clear();
    last = '';
  };
  return {
    text: (text) => {
      forgetIfMoreIsKnown();
      if (lines.has(text) || text === last || isNumbered(text, last)) return text;
      const scrubbed = scrubOrWithhold(text, (whole) =>
        shortWord.test(whole) ? known.replace(whole, whole.length, marker).output : scrubAll(whole, known, marker),
      );
      forgetIfMoreIsKnown();
      if (lines.size >= maxLines) lines.clear();
      if (scrubbed.length <= maxLineChars) lines.add(scrubbed);
      else if (scrubbed.length <= maxKeptChars) last = scrubbed;
      return scrubbed;
    },
    stream: () => {
      const scan = new CredentialScan(marker, known);
      let pending = '';
      // Keeps the end of a chunk for the next chunk if it may be the start of a known value.
      const withoutKnown = (chunk: string, isLast: boolean) => {
        const text = pending + chunk;
        const { output, end } = known.replace(text, isLast ? text.length : known.openAt(text), marker, 'learned');
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

const lineNumber = /^ *\d{1,7}[\t→]/;

/**
 * Whether a text is `plain` with a number before each line. A number of more than seven digits may be a known value.
 */
function isNumbered(text: string, plain: string): boolean {
  // For a value of another type, which a host may pass, `scrubOrWithhold` returns the notice.
  if (typeof text !== 'string') return false;
  // The check of the last line is cheap and rules out most texts, such as a page of a longer text, which ends with a
  // notice without a line number.
  const lastLine = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  if (text.length <= plain.length || !lineNumber.test(text) || !lineNumber.test(lastLine)) return false;
  return text.replace(/^ *\d{1,7}[\t→]/gm, '').trimEnd() === plain.trimEnd();
}

/** A restored secret may occur later in a form that no rule recognises, so it is hidden by value from now on. */
function takeOut(mark: string, vault: SecretVault, known: KnownValues): string | undefined {
  const secret = vault.secretOf(mark);
  // Private keys share their first and last lines.
  if (secret !== undefined && !secret.startsWith('-----')) known.learn([secret]);
  return secret;
}

/** A value may occur before the place where it is recognised, so a text with a new value is scanned again. */
function scrubAll(text: string, known: KnownValues, marker: Marker): string {
  const { length } = text;
  const search = known.search(text, length);
  // Most short texts contain no place where a credential may start.
  if (search.next(0, length) < 0) return text;
  const { output } = known.replace(text, length, marker, 'learned', search);
  for (let scans = 1; ; scans++) {
    const { revision } = known;
    const scan = new CredentialScan(marker, known);
    const scrubbed = scan.end(output, scans === 1 && output === text ? search : undefined);
    if (known.revision === revision || scans === maxScans || !known.hasRecognised(scrubbed)) return scrubbed;
  }
}

/**
 * Replaces credentials of all known forms by `[REDACTED]`; everything else stays. Remembers no values between calls.
 * See `createScrubber`.
 */
export function scrubCredentials(text: string): string {
  return scrubOrWithhold(text, (whole) => scrubAll(whole, new KnownValues(), plainMarker));
}

/** Replaces text that could not be scrubbed. */
export const withheldNotice = '[text withheld: it could not be checked for credentials]';

/**
 * Scrubs a text. If that throws, returns the notice and as many line breaks as the text has, so that no unchecked text
 * is shown.
 */
export function scrubOrWithhold(text: string, scrub: (text: string) => string): string {
  try {
    return scrub(text);
  } catch {
    return withheldNotice + lineBreaksOf(text);
  }
}

/** A stream that returns only the notice and line breaks once scrubbing a piece has failed. */
export function guardStream(inner: { push(chunk: string): string; end(): string }): {
  push(chunk: string): string;
  end(): string;
} {
  let hasFailed = false;
  const guarded = (chunk: string, scrub: () => string) => {
    if (hasFailed) return lineBreaksOf(chunk);
    try {
      return scrub();
    } catch {
      hasFailed = true;
      return withheldNotice + lineBreaksOf(chunk);
    }
  };
  return { push: (chunk) => guarded(chunk, () => inner.push(chunk)), end: () => guarded('', () => inner.end()) };
}

function lineBreaksOf(text: unknown): string {
  return typeof text === 'string' ? text.replace(/[^\n]+/g, '') : '';
}

/** The number of secrets to keep; the least recently used is forgotten first. */
const maxSecrets = 4_096;

/**
 * Keeps the secrets of marks in private fields, so printing, copying or serialising the object does not reveal them.
 * Equal secrets have equal marks, and no number is used twice.
 */
export class SecretVault {
  readonly #marks = new LatestMap<string, string>(maxSecrets, {
    onDrop: (_, mark) => void this.#secrets.delete(mark),
  });
  readonly #secrets = new Map<string, string>();
  #count = 0;

  /**
   * The mark for a secret, such as `[REDACTED:github-token#3]`. An undefined secret is not kept and gets a mark without
   * a number.
   */
  markOf(kind: CredentialKind, secret: string | undefined): string {
    if (secret === undefined) return `[REDACTED:${kind}]`;
    const mark = this.#marks.get(secret) ?? `[REDACTED:${kind}#${++this.#count}]`;
    this.#use(secret, mark);
    return mark;
  }

  /** The secret of a mark; undefined for a mark that this vault did not make or has forgotten. */
  secretOf(mark: string): string | undefined {
    const secret = this.#secrets.get(mark);
    if (secret !== undefined) this.#use(secret, mark);
    return secret;
  }

  #use(secret: string, mark: string): void {
    this.#marks.set(secret, mark);
    this.#secrets.set(mark, secret);
  }
}
