import { lazily } from '../core/support/lazy-value.js';
import { keyLinesAbove } from './rules/key-end.js';
import { HeadIndex, type HeadSearch } from './rules/literal-prefix-index.js';
import { startOfKey } from './rules/pem.js';
import type {
  CredentialFinding,
  CredentialKind,
  CredentialPart,
  CredentialRule,
  Marker,
  PartReader,
  TextSpan,
} from './rules/rule.js';
import { credentialRules } from './rules/rules.js';
import { startsWord } from './rules/word-start.js';

/** A stream holds a line up to here; of a longer one it holds half of that, which is as far as a rule looks ahead. */
const maxLineChars = 10_240;
/** How far a rule looks back. */
const lookbehindChars = 256;
/** Longer credentials are withheld like others, but not remembered. */
const maxSecretChars = 65_536;
/** What a line must hold for a credential with a blank inside to begin there. */
const spacedStart =
  /pass|pwd|secret|token|auth|bearer|basic|credential|jwt|key|sig|cookie|pat|psk|(?:^|[ \t])-[abpuw]|-user|curl|mysql|mariadb|value|default|identified|convertto|private-lines|-----/i;
/** What a token may have before the text that it is found by. */
const run = /[\w.~-]{0,64}$/;

/** Finds where rules may apply. */
export type RuleIndex = Pick<HeadIndex<CredentialRule>, 'search' | 'itemsAt'>;

/** The index keeps nothing of a text, so one serves all; it is made when the first text is scrubbed. */
const sharedIndex = lazily(() => new HeadIndex(credentialRules));

/** Values that were recognised by what stood around them: each is secret from there on, wherever it stands. */
export interface Recognised {
  /** Another number whenever a value is new. */
  readonly revision: number;
  recognise(kind: CredentialKind, secret: string | undefined): void;
  search(text: string, limit: number, from?: number): HeadSearch;
  /** Where the longest value ends that begins at `start`. */
  endAt(text: string, start: number): number | undefined;
  /** Where the first value begins that the text may break off in the middle of; the length of the text if none does. */
  openAt(text: string): number;
}

/** The text with a mark in place of every credential, in time linear in its length. */
export function scrubWhole(text: string, marker: Marker, recognised: Recognised): string {
  const { length } = text;
  // Most short texts hold nothing that is worth a scan.
  const heads = sharedIndex().search(text, length);
  if (heads.next(0, length) < 0 && recognised.search(text, length).next(0, length) < 0) return text;
  return new CredentialScan(marker, recognised).end(text, heads);
}

/**
 * One pass over a text that arrives in pieces, which is judged by whole lines. Of a line that is not over the words go
 * out as they come while nothing in it is suspicious.
 */
export class CredentialScan {
  readonly #marker: Marker;
  readonly #index: RuleIndex;
  readonly #recognised: Recognised | undefined;
  #repeats: (HeadSearch & { readonly revision: number }) | undefined;
  #repeatAt = -1;
  /** Text that was given out but may be looked back at, then text that waits. */
  #text = '';
  /** The first place that is not given out yet. */
  #position = 0;
  /** Where the last credential ended. What is left of it is not looked back at, so scrubbed text is judged alike. */
  #lookbackStart = 0;
  /** Reads the parts of what a credential has opened, such as the lines of a key. */
  #reader: PartReader | undefined;

  /** `index` finds the places at which something is judged. Default: by the heads of all rules. */
  constructor(marker: Marker, recognised?: Recognised, index: RuleIndex = sharedIndex()) {
    this.#marker = marker;
    this.#recognised = recognised;
    this.#index = index;
  }

  /** Takes the next piece and gives what is decided by now. */
  push(chunk: string): string {
    this.#text += chunk;
    return this.#scan(this.#linesEnd()) + this.#scan(this.#wordsEnd());
  }

  /** Takes the last piece and gives the rest. `heads` is a search of it where it is the only one. */
  end(chunk = '', heads?: HeadSearch): string {
    this.#text += chunk;
    return this.#scan(this.#text.length, true, heads);
  }

  /** The end of the lines that are over, but for those that may turn out to be the end of a key. */
  #linesEnd(): number {
    const { length } = this.#text;
    const lineStart = this.#text.lastIndexOf('\n') + 1;
    if (length - Math.max(this.#position, lineStart) <= maxLineChars) return this.#keyStart(lineStart) ?? lineStart;
    const end = length - maxLineChars / 2;
    return end - (run.exec(this.#text.slice(end - 64, end))?.[0].length ?? 0);
  }

  /** The end of the last word of a line that is not over; no further than something may begin that goes on. */
  #wordsEnd(): number {
    const text = this.#text;
    const lineStart = text.lastIndexOf('\n') + 1;
    const line = text.slice(Math.max(lineStart, this.#position));
    const mayGoOn = this.#position < lineStart || this.#reader !== undefined || spacedStart.test(line);
    if (mayGoOn || this.#keyStart(text.length + 1) !== undefined) return 0;
    const end = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\t')) + 1;
    return Math.min(end, this.#recognised?.openAt(text) ?? end);
  }

  /** Where the first of the lines of a key begins that stand right above `lineStart`. */
  #keyStart(lineStart: number): number | undefined {
    const [first] = keyLinesAbove(this.#text, lineStart, this.#lookbackStart);
    if (first === undefined) return undefined;
    const start = this.#text.lastIndexOf('\n', first.start) + 1;
    // Letters may stand behind the end of another key, which waits with the lines above it.
    const above = this.#text.slice(start, first.start).includes('-----END ') ? this.#keyStart(start) : undefined;
    return above ?? Math.max(this.#position, start);
  }

  /** Decides what begins before `limit`, and gives it out. */
  #scan(limit: number, isLast = false, given?: HeadSearch): string {
    if (limit <= this.#position) return '';
    const text = this.#text;
    const output: string[] = [];
    let copied = this.#position;
    let part: CredentialPart | undefined;
    const hide = (kind: CredentialKind, { start, end }: TextSpan) => {
      const secret = end - start > maxSecretChars ? undefined : text.slice(start, end);
      this.#recognised?.recognise(kind, secret);
      output.push(text.slice(copied, start), this.#marker(kind, secret));
      copied = end;
    };
    const heads = given ?? this.#index.search(text, limit);
    this.#repeats = undefined;
    while (this.#position < limit) {
      part ??= this.#reader?.(text, this.#position);
      if (part === undefined) this.#reader = undefined;
      const end = Math.min(limit, part?.end ?? limit);
      const found = this.#next(heads, end, part?.secret);
      if (found === undefined) this.#position = end;
      else {
        const { kind, start, opens } = found;
        // The rest of a credential on a long line may be still to come.
        if (!isLast && found.end === text.length && start < limit && found.end - start < maxLineChars) {
          this.#position = start;
          break;
        }
        this.#position = kind === 'private-key' || opens ? found.end : startOfKey(text, start, found.end);
        for (const span of found.before ?? []) hide(kind, span);
        if (this.#position > start) {
          hide(kind, { start, end: this.#position });
          this.#lookbackStart = this.#position;
        }
        part = part && { end: part.end };
        if (opens !== undefined) [this.#reader, part] = [opens, undefined];
      }
      if (part !== undefined && this.#position >= part.end) part = undefined;
    }
    output.push(text.slice(copied, this.#position));
    this.#forget();
    return output.join('');
  }

  /** What begins first before `limit`. What a name announces may have a form of its own, which says more about it. */
  #next(heads: HeadSearch, limit: number, secret: CredentialFinding | undefined): CredentialFinding | undefined {
    let first = secret !== undefined && secret.start >= this.#position ? secret : undefined;
    for (let at = this.#position; ; at++) {
      // What only opens something leaves its place to what stands there.
      const last = first === undefined ? limit : first.start + (first.opens === undefined ? 1 : 0);
      at = this.#nextPlace(heads, at, Math.min(limit, last));
      if (at < 0) return first;
      const found = this.#findAt(at);
      if (found === undefined) continue;
      if (first === undefined || found.start < first.start) first = found;
      else if (found.start === first.start && at === found.start)
        return found.kind === 'private-key' ? found : { ...first, kind: found.kind };
    }
  }

  #findAt(at: number): CredentialFinding | undefined {
    for (const rule of this.#index.itemsAt(this.#text, at)) {
      if (rule.startsWord === true && !startsWord(this.#text, at, this.#lookbackStart)) continue;
      const found = rule.find(this.#text, at, this.#lookbackStart);
      if (found !== undefined) return found;
    }
    const end = at === this.#repeatAt ? this.#recognised?.endAt(this.#text, at) : undefined;
    return end === undefined ? undefined : { kind: 'known-value', start: at, end };
  }

  /** The first place at which a rule may apply, or where a recognised value stands again. */
  #nextPlace(heads: HeadSearch, from: number, before: number): number {
    const place = heads.next(from, before);
    const values = this.#recognised;
    if (values === undefined) return place;
    if (this.#repeats?.revision !== values.revision)
      this.#repeats = { revision: values.revision, ...values.search(this.#text, this.#text.length, from) };
    this.#repeatAt = this.#repeats.next(from, place < 0 ? before : place + 1);
    return this.#repeatAt < 0 ? place : this.#repeatAt;
  }

  /** Keeps no more of the text that was given out than may be looked back at. */
  #forget(): void {
    const gone = Math.max(0, this.#position - lookbehindChars);
    this.#text = this.#text.slice(gone);
    this.#position -= gone;
    this.#lookbackStart = Math.max(0, this.#lookbackStart - gone);
  }
}
