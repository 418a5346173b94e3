import type { HeadIndex, HeadSearch } from '../core/text/literal-prefix-index.js';
import { programRules } from './rules/command.js';
import { startsWord } from './rules/issued-tokens.js';
import { startOfKey } from './rules/private-key.js';
import { keyLinesAbove } from './rules/private-key-footer.js';
import type {
  CredentialFinding,
  CredentialKind,
  CredentialPart,
  CredentialRule,
  Marker,
  PartReader,
  TextSpan,
} from './rules/rule.js';
import { ruleIndex } from './rules/table.js';

/**
 * A stream buffers a whole line if the line is at most this long. On a longer line, it buffers a whole credential if
 * the credential is at most this long. On a longer line, at least half of this length stays buffered, because a rule
 * reads that far ahead.
 */
const maxLineChars = 10_240;
/** The maximum number of characters that a rule reads before a head. */
const lookbehindChars = 256;
/** Credentials longer than this are hidden too, but their values are not remembered. */
const maxSecretChars = 65_536;
/** A credential that contains a space can start only on a line that matches this expression. */
const spacedStart =
  /pass|pwd|secret|token|auth|bearer|basic|credential|jwt|key|sig|cookie|pat|psk|(?:^|[ \t])-[a-z\d#]{0,9}[abpuw]|:(?:5432|5433|6432|\*):|-user|curl|mysql|mariadb|value|default|identified|convertto|private-lines|-----/i;
/** The characters of a token that may stand before its head (the literal text that is searched for). */
const run = /[\w.~-]{0,64}$/;

/** Finds the places where a rule may match. */
export type RuleIndex = Pick<HeadIndex<CredentialRule>, 'search' | 'itemsAt'>;

/** Values that were recognised by their context. Each of these values is hidden wherever it occurs later. */
export interface Recognised {
  /** Changes whenever a value is added. */
  readonly revision: number;
  recognise(kind: CredentialKind, secret: string | undefined): void;
  /** Finds the places where rules may match. From `from` on, also finds the places where values may start. */
  search(text: string, limit: number, from?: number): HeadSearch;
  /** The end of the longest value that starts at `start` and has the given origin; undefined if there is none. */
  endAt(text: string, start: number, origin: 'recognised'): number | undefined;
  /** The start of the first value that may continue after the end of the text; the text's length if there is none. */
  openAt(text: string): number;
}

/**
 * One pass over a text that arrives in pieces. It scrubs and releases whole lines. The words of an unfinished line are
 * released as they arrive, unless the line may contain a credential.
 */
export class CredentialScan {
  readonly #marker: Marker;
  readonly #index: RuleIndex;
  readonly #recognised: Recognised | undefined;
  #heads: HeadSearch | undefined;
  /** The revision of the recognised values for which `#heads` was made. */
  #revision: number | undefined;
  /** Released text that a rule may still read, followed by text that is not released yet. */
  #text = '';
  /** The first character that is not released yet. */
  #position = 0;
  /**
   * The end of the last credential. Before this position, rules read the scrubbed text and not the original, so a
   * second scrubbing of the output comes to the same verdicts.
   */
  #lookbackStart = 0;
  /** The last characters of the scrubbed text before `#lookbackStart`. */
  #scrubbed = '';
  /** Findings that are hidden later, because they start after another finding or after the current part. */
  #waiting: CredentialFinding[] = [];
  /** Reads the parts of an open credential, such as the lines of a private key. */
  #reader: PartReader | undefined;

  /** `index` finds the places to check. Default: an index of the heads of all rules. */
  constructor(marker: Marker, recognised?: Recognised, index: RuleIndex = ruleIndex()) {
    this.#marker = marker;
    this.#recognised = recognised;
    this.#index = index;
  }

  /** Adds a piece and returns the scrubbed text that can be released. */
  push(chunk: string): string {
    this.#text += chunk;
    return this.#scan(this.#linesEnd()) + this.#scan(this.#wordsEnd());
  }

  /** Adds the last piece and returns the rest. `heads` is a search of that piece, if it is the only piece. */
  end(chunk = '', heads?: HeadSearch): string {
    this.#text += chunk;
    return this.#scan(this.#text.length, true, heads);
  }

  /** The end of the finished lines, without the last lines if a private key may still continue on the next line. */
  #linesEnd(): number {
    const { length } = this.#text;
    const lineStart = this.#text.lastIndexOf('\n') + 1;
    if (length - Math.max(this.#position, lineStart) <= maxLineChars) return this.#keyStart(lineStart) ?? lineStart;
    const end = length - maxLineChars / 2;
    return end - (run.exec(this.#text.slice(end - 64, end))?.[0].length ?? 0);
  }

  /** The end of the last complete word of an unfinished line, but not after the start of a possible credential. */
  #wordsEnd(): number {
    const text = this.#text;
    const lineStart = text.lastIndexOf('\n') + 1;
    const line = text.slice(Math.max(lineStart, this.#position));
    const mayGoOn = this.#position < lineStart || this.#reader !== undefined || spacedStart.test(line);
    if (mayGoOn || this.#keyStart(text.length + 1) !== undefined) return 0;
    const end = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\t')) + 1;
    return Math.min(end, this.#recognised?.openAt(text) ?? end);
  }

  /** The start of the lines directly above `lineStart` that may belong to a private key. */
  #keyStart(lineStart: number): number | undefined {
    const [first] = keyLinesAbove(this.#text, lineStart, this.#lookbackStart);
    if (first === undefined) return undefined;
    const start = this.#text.lastIndexOf('\n', first.start) + 1;
    // Another key may end on the first of these lines; then the lines of that key are not released either.
    const above = this.#text.slice(start, first.start).includes('-----END ') ? this.#keyStart(start) : undefined;
    return above ?? Math.max(this.#position, start);
  }

  /** Scrubs everything that starts before `limit`, and returns it. */
  #scan(limit: number, isLast = false, given?: HeadSearch): string {
    if (limit <= this.#position) return '';
    const text = this.#text;
    const output: string[] = [];
    let copied = this.#position;
    let part: CredentialPart | undefined;
    const hide = (kind: CredentialKind, { start, end }: TextSpan) => {
      const secret = end - start > maxSecretChars ? undefined : text.slice(start, end);
      this.#recognised?.recognise(kind, secret);
      const mark = this.#marker(kind, secret);
      output.push(text.slice(copied, start), mark);
      copied = end;
      const since = text.slice(Math.max(this.#lookbackStart, start - lookbehindChars), start);
      this.#scrubbed = (this.#scrubbed + since + mark).slice(-lookbehindChars);
      this.#lookbackStart = end;
    };
    this.#heads = given;
    this.#revision = this.#recognised?.revision;
    while (this.#position < limit) {
      part ??= this.#reader?.(text, this.#position);
      if (part === undefined) this.#reader = undefined;
      const end = Math.min(limit, part?.end ?? limit);
      const found = this.#next(end, part?.secret);
      if (found === undefined) this.#position = end;
      else if (found.start >= end && end < limit) {
        this.#waiting.push(found);
        this.#position = end;
      } else {
        const { kind, start, opens } = found;
        // The rest of a credential on a long line may still arrive. A dot at the end may belong to the credential.
        const mayGoOn = !isLast && opens === undefined && /^\.?$/.test(text.slice(found.end));
        if (mayGoOn && found.end - start < maxLineChars) break;
        this.#position = kind === 'private-key' || opens ? found.end : startOfKey(text, start, found.end);
        for (const span of found.before ?? []) hide(kind, span);
        if (this.#position > start) hide(kind, { start, end: this.#position });
        part = part && { end: part.end };
        if (opens !== undefined) [this.#reader, part] = [opens, undefined];
      }
      if (part !== undefined && this.#position >= part.end) part = undefined;
    }
    output.push(text.slice(copied, this.#position));
    this.#forget();
    return output.join('');
  }

  /**
   * The first finding before `limit`. If the value of a sensitive name is a token of a known form, the rule for that
   * form wins, because it names the issuer.
   */
  #next(limit: number, secret: CredentialFinding | undefined): CredentialFinding | undefined {
    if (secret !== undefined) this.#waiting.push(secret);
    if (this.#position === this.#lookbackStart && this.#scrubbed !== '') this.#continuePrograms();
    let first = this.#firstWaiting();
    for (let at = this.#position; ; at++) {
      // A finding that opens parts, such as a cookie header, comes before any finding at the same place.
      const last = first === undefined ? limit : first.start + (first.opens === undefined ? 1 : 0);
      at = this.#nextPlace(at, Math.min(limit, last));
      if (at < 0) return first;
      let found = this.#findAt(at);
      if (found === undefined) continue;
      if (first !== undefined && found.start === first.start && at === found.start)
        return found.kind === 'private-key' ? found : { ...first, kind: found.kind };
      if (first === undefined || found.start < first.start) [first, found] = [found, first];
      if (found !== undefined) this.#waiting.push(found);
    }
  }

  /** Removes and returns the first waiting finding, after dropping those that start before the current position. */
  #firstWaiting(): CredentialFinding | undefined {
    if (this.#waiting.length === 0) return undefined;
    const [first, ...rest] = this.#waiting
      .filter(({ start }) => start >= this.#position)
      .sort((one, other) => one.start - other.start);
    this.#waiting = rest;
    return first;
  }

  /** Finds further passwords after the last credential, in the same command. */
  #continuePrograms(): void {
    for (const rule of programRules) {
      const found = rule.find(this.#text, this.#position, this.#lookbackStart, this.#scrubbed);
      if (found !== undefined) this.#waiting.push(found);
    }
  }

  #findAt(at: number): CredentialFinding | undefined {
    for (const rule of this.#index.itemsAt(this.#text, at)) {
      if (rule.startsWord === true && !startsWord(this.#text, at, this.#lookbackStart)) continue;
      const found = rule.find(this.#text, at, this.#lookbackStart, this.#scrubbed);
      if (found !== undefined) return found;
    }
    const end = this.#recognised?.endAt(this.#text, at, 'recognised');
    return end === undefined ? undefined : { kind: 'known-value', start: at, end };
  }

  /** The first place where a rule may match, or where a recognised value may occur again. */
  #nextPlace(from: number, before: number): number {
    const [text, values] = [this.#text, this.#recognised];
    if (this.#heads === undefined || this.#revision !== values?.revision) {
      this.#revision = values?.revision;
      this.#heads = values?.search(text, text.length, from) ?? this.#index.search(text, text.length);
    }
    return this.#heads.next(from, before);
  }

  /** Drops released text that no rule may read any more. */
  #forget(): void {
    const gone = Math.max(0, this.#position - lookbehindChars);
    this.#text = this.#text.slice(gone);
    this.#position -= gone;
    if (gone > this.#lookbackStart) this.#scrubbed = '';
    this.#lookbackStart = Math.max(0, this.#lookbackStart - gone);
    this.#waiting = [];
  }
}
