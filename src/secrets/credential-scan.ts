import { lazily } from '../core/support/lazy-value.js';
import { keyLinesAbove } from './rules/key-end.js';
import { HeadIndex, type HeadSearch } from './rules/literal-prefix-index.js';
import { startOfKey } from './rules/pem.js';
import type {
  CredentialFinding,
  CredentialKind,
  CredentialPart,
  CredentialRule,
  CredentialTail,
  Marker,
  PartReader,
} from './rules/rule.js';
import { credentialRules } from './rules/rules.js';
import { startOfRun, startsWord } from './rules/word-start.js';

/** How far a decision about one place may look ahead; beyond it a credential is only followed to its end. */
const lookaheadChars = 5120;
/** How far it may look back. */
const lookbehindChars = 256;
/** Longer credentials are withheld like others, but not remembered. */
const maxSecretChars = 65_536;
/** What a line must hold for a credential with a blank inside to begin there. */
const spacedStart =
  /pass|pwd|secret|token|auth|bearer|basic|credential|jwt|key|sig|cookie|pat|psk|(?:^|[ \t])-[abpuw]|-user|curl|mysql|mariadb|value|default|identified|convertto|private-lines|-----/i;

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
 * One pass over a text that arrives in pieces. Whole lines are decided as they come, a line without anything suspicious
 * word by word; a suspicious one waits for its end, though never more than twice the look-ahead.
 */
export class CredentialScan {
  readonly #marker: Marker;
  readonly #index: RuleIndex;
  readonly #recognised: Recognised | undefined;
  #repeats: (HeadSearch & { readonly revision: number }) | undefined;
  #repeatAt = -1;
  readonly #output: string[] = [];
  /** Text that was given out but may be looked back at, then text that waits. */
  #text = '';
  /** The first place that is not decided yet. */
  #position = 0;
  /** Up to here the text has been given out. */
  #copied = 0;
  /** Where the last credential ended. What is left of it is not looked back at, so scrubbed text is judged alike. */
  #lookbackStart = 0;
  /** How the credential that is still open goes on, and that credential; nothing stands for it yet. */
  #tail: CredentialTail | undefined;
  #open: { readonly kind: CredentialKind; readonly secret: string | undefined } | undefined;
  /** Reads the parts of what is open, such as the lines of a key, and the part that the text stands in. */
  #reader: PartReader | undefined;
  #part: CredentialPart | undefined;

  /** `index` finds the places at which something is judged. Default: by the heads of all rules. */
  constructor(marker: Marker, recognised?: Recognised, index: RuleIndex = sharedIndex()) {
    this.#marker = marker;
    this.#recognised = recognised;
    this.#index = index;
  }

  /** Takes the next piece and gives what is decided by now. */
  push(chunk: string): string {
    this.#text += chunk;
    const limit = Math.min(this.#limit(), this.#recognised?.openAt(this.#text) ?? this.#text.length);
    return limit > this.#position || this.#tail !== undefined ? this.#release(limit, false) : '';
  }

  /** Takes the last piece and gives the rest. `heads` is a search of it where it is the only one. */
  end(chunk = '', heads?: HeadSearch): string {
    this.#text += chunk;
    return this.#release(this.#text.length, true, heads);
  }

  /** Places before it can be decided: behind it comes enough text, or it follows a line break or a word. */
  #limit(): number {
    const { length } = this.#text;
    const lineStart = Math.max(this.#position, this.#text.lastIndexOf('\n') + 1);
    if (length - lineStart > 2 * lookaheadChars) return startOfRun(this.#text, length - lookaheadChars);
    const line = this.#text.slice(lineStart);
    const keyStart = this.#keyStart();
    if (keyStart !== undefined) return keyStart;
    if (this.#reader !== undefined || this.#text.includes('-----BEGIN', this.#position) || spacedStart.test(line))
      return lineStart;
    return lineStart + Math.max(line.lastIndexOf(' '), line.lastIndexOf('\t')) + 1;
  }

  /** Where the line begins from which on all may turn out to be the end of a key. */
  #keyStart(): number | undefined {
    if (this.#reader !== undefined) return undefined;
    let start = this.#lineOfKey(this.#text.length + 1);
    for (let at: number | undefined = this.#text.lastIndexOf('\n') + 1; at !== undefined; ) {
      at = this.#lineOfKey(at);
      start = at ?? start;
      // Letters may stand behind the end of another key, which waits with the lines above it.
      if (at !== undefined && !this.#text.slice(at, this.#text.indexOf('\n', at)).includes('-----END ')) break;
    }
    return start && Math.max(this.#position, start);
  }

  /** Where the first of the lines of a key begins that stand right above `lineStart`. */
  #lineOfKey(lineStart: number): number | undefined {
    const [first] = keyLinesAbove(this.#text, lineStart, this.#lookbackStart);
    return first && this.#text.lastIndexOf('\n', first.start) + 1;
  }

  #release(decided: number, isLast: boolean, heads = this.#index.search(this.#text, decided)): string {
    let limit = decided;
    this.#repeats = undefined;
    while (this.#tail === undefined ? this.#position < limit : this.#position < this.#text.length) {
      const reader = this.#reader;
      if (this.#tail === undefined) this.#step(heads, limit);
      else if (!this.#followTail(this.#tail, isLast)) break;
      // What was opened is read by whole lines, and what follows it may be the end of a key.
      if (this.#reader !== reader && !isLast) limit = Math.min(limit, this.#limit());
    }
    if (isLast) this.#closeOpen();
    this.#give(Math.max(this.#copied, this.#position));
    return this.#taken();
  }

  #step(heads: HeadSearch, limit: number): void {
    if (this.#reader !== undefined && this.#part === undefined) {
      this.#part = this.#reader(this.#text, this.#position);
      if (this.#part === undefined) {
        this.#reader = undefined;
        return;
      }
    }
    const end = Math.min(limit, this.#part?.end ?? limit);
    const found = this.#next(heads, end);
    if (found === undefined) this.#position = end;
    else this.#withhold(found);
    if (this.#part !== undefined && this.#position >= this.#part.end) this.#part = undefined;
  }

  /** What begins first before `limit`. What a name announces may have a form of its own, which says more about it. */
  #next(heads: HeadSearch, limit: number): CredentialFinding | undefined {
    const secret = this.#part?.secret;
    let first = secret !== undefined && secret.start >= this.#position ? secret : undefined;
    for (let at = this.#position; ; at++) {
      // What only opens something leaves its place to what stands there.
      const last = first === undefined ? limit : first.start + (first.opens === undefined ? 1 : 0);
      at = this.#nextPlace(heads, at, Math.min(limit, last));
      if (at < 0) return first;
      const found = this.#findAt(at);
      if (found === undefined) continue;
      if (first === undefined || found.start < first.start) first = found;
      else if (found.start === first.start && at === found.start) return { ...first, kind: found.kind };
    }
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

  #findAt(at: number): CredentialFinding | undefined {
    for (const rule of this.#index.itemsAt(this.#text, at)) {
      if (rule.startsWord === true && !startsWord(this.#text, at, this.#lookbackStart)) continue;
      const found = rule.find(this.#text, at, this.#lookbackStart);
      if (found !== undefined) return found;
    }
    const end = at === this.#repeatAt ? this.#recognised?.endAt(this.#text, at) : undefined;
    return end === undefined ? undefined : { kind: 'known-value', start: at, end };
  }

  #withhold({ kind, start, end: whole, before = [], tail, opens }: CredentialFinding): void {
    const end = tail === undefined && opens === undefined ? startOfKey(this.#text, start, whole) : whole;
    for (const span of before) {
      this.#give(span.start);
      this.#output.push(this.#marker(kind, this.#text.slice(span.start, span.end)));
      this.#copied = span.end;
    }
    if (tail !== undefined || end > start) {
      this.#give(start);
      this.#open = { kind, secret: this.#text.slice(start, end) };
      this.#copied = end;
      this.#lookbackStart = end;
    }
    if (tail === undefined) this.#closeOpen();
    this.#tail = tail;
    this.#position = end;
    if (this.#part !== undefined) this.#part = { end: this.#part.end };
    if (opens === undefined) return;
    this.#reader = opens;
    this.#part = undefined;
  }

  /** Goes to where the open credential ends; false where that is not known yet. */
  #followTail({ stop, hold }: CredentialTail, isLast: boolean): boolean {
    const { length } = this.#text;
    stop.lastIndex = this.#position;
    const end = stop.exec(this.#text)?.index ?? length;
    const isDecided = isLast || end + hold < length;
    const from = this.#position;
    this.#position = isDecided ? end : Math.max(from, Math.min(end, length - hold));
    if (this.#open?.secret !== undefined && this.#position > from) {
      const secret = this.#open.secret + this.#text.slice(from, this.#position);
      this.#open = { kind: this.#open.kind, secret: secret.length > maxSecretChars ? undefined : secret };
    }
    this.#copied = this.#position;
    this.#lookbackStart = this.#position;
    if (!isDecided) return false;
    this.#tail = undefined;
    this.#closeOpen();
    return true;
  }

  #closeOpen(): void {
    if (this.#open !== undefined) {
      this.#recognised?.recognise(this.#open.kind, this.#open.secret);
      this.#output.push(this.#marker(this.#open.kind, this.#open.secret));
    }
    this.#open = undefined;
  }

  #give(end: number): void {
    this.#output.push(this.#text.slice(this.#copied, end));
    this.#copied = end;
  }

  /** The output so far. Of the text no more is kept than may be looked back at. */
  #taken(): string {
    const gone = Math.max(0, this.#copied - lookbehindChars);
    this.#text = this.#text.slice(gone);
    this.#position -= gone;
    this.#copied -= gone;
    this.#lookbackStart = Math.max(0, this.#lookbackStart - gone);
    if (this.#part !== undefined) this.#part = movedPart(this.#part, -gone);
    return this.#output.splice(0).join('');
  }
}

function movedPart({ end, secret }: CredentialPart, by: number): CredentialPart {
  if (secret === undefined) return { end: end + by };
  return { end: end + by, secret: { ...secret, start: secret.start + by, end: secret.end + by } };
}
