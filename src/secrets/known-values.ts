import { type Headed, HeadIndex, type HeadSearch } from './rules/literal-prefix-index.js';
import { looksRandom } from './rules/randomness.js';
import { type CredentialKind, type Marker, otherKinds } from './rules/rule.js';
import { tokenKinds } from './rules/token.js';
import { dictionary } from './rules/value.js';

const marker = '[REDACTED]';
const marks = [...tokenKinds, ...otherKinds].map((kind) => `[REDACTED:${kind}#`).join('\n');
/** Shorter values would turn up by chance in ordinary text. */
const minValueChars = 6;
/** Encoded forms and lines of a value that are shorter say too little. */
const minFormChars = 8;
const commonDigits = /^(?:\d{1,5}|(.)\1*)$/;

/** One way in which a known value may be written. */
type Form = Headed & { readonly text: string };

const nothing: HeadSearch = { next: () => -1 };

/**
 * Secrets known by value. Each that is learned is found as it is, in base64 (at any of the three alignments, both
 * alphabets), URL-encoded and as JSON writes it. Ignored are values under 6 characters, values of 6 or 7 characters
 * that are only letters or only digits, common words, and values that a mark itself contains.
 */
export class KnownValues {
  readonly #texts = new Set<string>();
  readonly #maxTexts: number;
  #search: HeadIndex<Form> | undefined;
  /** What a text may end with that is the beginning of one of them, up to three characters. */
  readonly #starts = new Set<string>();
  #maxFormChars = 0;
  #revision = 0;

  /** Of more than `maxTexts` the oldest half is forgotten. */
  constructor(maxTexts = Number.POSITIVE_INFINITY) {
    this.#maxTexts = maxTexts;
  }

  /** Another number whenever something new was learned. */
  get revision(): number {
    return this.#revision;
  }

  /** Adds values to those that are looked for from now on. */
  learn(values: readonly string[]): void {
    for (const value of values) {
      if (isDistinctive(value)) for (const text of writingsOf(value)) this.#add(text);
    }
  }

  /** Adds a value that was found by what stands around it, where it can be told from ordinary text elsewhere. */
  recognise(kind: CredentialKind, value: string | undefined): void {
    // Keys have lines that are the same in all of them.
    if (value === undefined || kind === 'private-key' || value.includes('-----')) return;
    if (isTelling(value) && isDistinctive(value)) this.#add(value);
  }

  /** Finds where values may begin, from `from` on. No index is made for a few values of which the text holds none. */
  search(text: string, limit: number, from = 0): HeadSearch {
    const isFew = this.#search === undefined && this.#texts.size < 4;
    if (isFew && ![...this.#texts].some((each) => text.includes(each, from))) return nothing;
    return this.#index().search(text, limit);
  }

  /** Where the longest value ends that begins at `start`; undefined where none does. */
  endAt(text: string, start: number): number | undefined {
    let length = 0;
    for (const { text: form } of this.#index().itemsAt(text, start))
      if (form.length > length && text.startsWith(form, start)) length = form.length;
    return length === 0 || text.startsWith(marker, start) ? undefined : start + length;
  }

  /** Replaces the values that begin before `limit`; gives the text up to there, or up to the end of the last value. */
  replace(text: string, limit: number, mark: Marker): { readonly output: string; readonly end: number } {
    const output: string[] = [];
    const search = this.search(text, limit);
    let copied = 0;
    for (let start = search.next(0, limit); start >= 0; ) {
      const isMark = text.startsWith(marker, start);
      const end = isMark ? start + marker.length : this.endAt(text, start);
      if (end !== undefined && !isMark) {
        const secret = text.slice(start, end);
        output.push(text.slice(copied, start));
        output.push(secret.replace(/[^\r\n]+/g, (line) => (line.trim() === '' ? line : mark('known-value', line))));
        copied = end;
      }
      start = search.next(end ?? start + 1, limit);
    }
    const end = Math.max(copied, limit);
    output.push(text.slice(copied, end));
    return { output: output.join(''), end };
  }

  /** Whether one of them stands in a text. */
  isIn(text: string): boolean {
    const search = this.search(text, text.length);
    for (let at = search.next(0, text.length); at >= 0; at = search.next(at + 1, text.length))
      if (this.endAt(text, at) !== undefined) return true;
    return false;
  }

  /** Where the first value begins that the text may break off in the middle of; the length of the text if none does. */
  openAt(text: string): number {
    const index = this.#texts.size === 0 ? undefined : this.#index();
    for (let start = Math.max(0, text.length - this.#maxFormChars + 1); start < text.length; start++) {
      const rest = text.slice(start);
      const isOpen = ({ text: form }: Form) => form.length > rest.length && form.startsWith(rest);
      if (rest.length < 4 ? this.#starts.has(rest) : index?.itemsAt(text, start).some(isOpen)) return start;
    }
    return text.length;
  }

  #add(text: string): void {
    if (this.#texts.has(text)) return;
    this.#revision++;
    this.#texts.add(text);
    this.#search?.add({ text, heads: [text] });
    this.#maxFormChars = Math.max(this.#maxFormChars, text.length);
    for (const length of [1, 2, 3]) this.#starts.add(text.slice(0, length));
    if (this.#texts.size <= this.#maxTexts) return;
    for (const old of [...this.#texts].slice(0, this.#maxTexts / 2)) this.#texts.delete(old);
    this.#search = undefined;
  }

  /** What to look for, put in order when it is first needed. */
  #index(): HeadIndex<Form> {
    this.#search ??= new HeadIndex([...this.#texts, marker].map((text) => ({ text, heads: [text] })));
    return this.#search;
  }
}

/** Names of algorithms and the like, which are letters and digits too. */
const technical =
  /^(?:x?sha|md|base|utf|iso|u?int|float|aes|rsa|hmac|ed|es|ecdsa|curve|secp|oauth|http|gpt|web)[-_]?\d/i;
const maxTellingChars = 4_096;

/** Whether a value hardly stands anywhere by chance: signs or digits beside its letters, or several words. */
function isTelling(value: string): boolean {
  if (value.length > maxTellingChars || /[\r\n]/.test(value) || technical.test(value)) return false;
  return looksRandom(value) || /^(?=.*[A-Za-z]).*[\d!@#$%^&*+~?]/.test(value) || value.split(/[\s_-]+/).length >= 4;
}

function isDistinctive(value: string): boolean {
  const text = value.trim();
  if (text.length < minValueChars || dictionary.test(text) || commonDigits.test(text) || isInMark(text)) return false;
  return text.length >= minFormChars || !/^(?:[A-Za-z]+|\d+)$/.test(text);
}

/** Whether text may stand inside of a mark, of either form. */
function isInMark(text: string): boolean {
  return marker.includes(text) || /^[a-z-]*#\d+\]?$/.test(text) || marks.includes(text);
}

function writingsOf(value: string): readonly string[] {
  const text = value.trim();
  const json = JSON.stringify(text).slice(1, -1);
  // A form has a plus for a blank, and forms and others write codes for signs that a script leaves, or leave the slash.
  const url = encodeURIComponent(text.toWellFormed());
  const strict = url.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const sent = new URLSearchParams({ '': text }).toString().slice(1);
  const urls = [url, strict, sent, strict.replaceAll('%2F', '/'), url.replaceAll('%20', '+')];
  const encoded = [
    ...[json, json.replaceAll('/', '\\/')].flatMap((form) => [form, escaped(form, /[<>&]/g), escaped(form, /[^ -~]/g)]),
    ...urls.flatMap((form) => [form, form.replace(/%../g, (code) => code.toLowerCase())]),
    ...base64Of(text),
    ...(value === text ? [] : base64Of(value)),
  ];
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const telling = lines.length > 1 ? lines.filter((line) => looksRandom(line)) : [];
  return [text, ...[...encoded, ...telling].filter((form) => form.length >= minFormChars)];
}

/** Base64 of text at each place it can have in a longer one, without the characters that its neighbours share. */
function base64Of(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  const inner = [0, 1, 2].map((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    return shifted.toString('base64').slice(Math.ceil((shift * 8) / 6), Math.floor((shifted.length * 8) / 6));
  });
  const [plain = ''] = inner;
  const wrapped = [64, 76].map((width) => plain.replace(new RegExp(`.{${width}}(?=.)`, 'g'), '$&\n'));
  const url = inner.map((form) => form.replace(/\+/g, '-').replace(/\//g, '_'));
  return [bytes.toString('base64'), ...inner, ...url, ...wrapped];
}

function escaped(json: string, signs: RegExp): string {
  return json.replace(signs, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
