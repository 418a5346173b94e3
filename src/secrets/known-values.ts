import { type Headed, HeadIndex, type HeadSearch } from '../core/text/literal-prefix-index.js';
import { looksRandom } from '../core/text/looks-random.js';
import { type CredentialKind, credentialKinds, type Marker } from './rules/rule.js';
import { dictionary } from './rules/secret-value.js';
import { ruleIndex } from './rules/table.js';

const marker = '[REDACTED]';
const marks = credentialKinds.map((kind) => `[REDACTED:${kind}#`).join('\n');
/** Shorter values would occur in ordinary text by chance. */
const minValueChars = 6;
/** Shorter encoded forms, and shorter lines of a value, would occur by chance. */
const minFormChars = 8;
const commonDigits = /^(?:\d{1,5}|(.)\1*)$/;

/** How a value became known: the host gave it, or a rule recognised it by its context. */
export type Origin = 'learned' | 'recognised';

/** One spelling of a known value. */
interface Form extends Headed {
  readonly text: string;
  readonly origin: Origin | undefined;
}

const markForm: Form = { text: marker, heads: [marker], origin: undefined };
/** The maximum number of recognised values that are remembered. */
const maxRecognised = 2_048;

/**
 * Secrets that are known by value. A value from the host is found unchanged, in base64 (all three alignments, both
 * alphabets), URL-encoded, and JSON-escaped. A recognised value is found only unchanged. Ignores values under 6
 * characters, values of 6 or 7 characters that consist only of letters or only of digits, common words, and parts of a
 * mark.
 */
export class KnownValues {
  readonly #forms = new Map<string, Form>();
  #recognised = 0;
  #index: HeadIndex<Form> | undefined;
  /** The prefixes of one to three characters of each value. They tell whether a text may end inside a value. */
  readonly #starts = new Set<string>();
  #maxFormChars = 0;
  #revision = 0;

  /** Changes whenever a value is added. */
  get revision(): number {
    return this.#revision;
  }

  /** Adds values to search for from now on. */
  learn(values: readonly string[]): void {
    for (const value of values) {
      if (isDistinctive(value)) for (const text of writingsOf(value)) this.#add(text, 'learned');
    }
  }

  /** Adds a value that was recognised by its context, if it is distinctive enough to be found without that context. */
  recognise(kind: CredentialKind, value: string | undefined): void {
    // Private keys share some of their lines with other keys.
    if (value === undefined || kind === 'private-key' || value.includes('-----')) return;
    if (isTelling(value) && isDistinctive(value)) this.#add(value, 'recognised');
  }

  /**
   * Finds the places where rules may match. From `from` on, also finds the places where values may start. One search
   * finds both, because the search takes most of the time.
   */
  search(text: string, limit: number, from = 0): HeadSearch {
    // If only a few values are known and the text contains none of them, no index is built.
    const isFew = this.#index === undefined && this.#forms.size < 4;
    const isWithout = isFew && ![...this.#forms.keys()].some((form) => text.includes(form, from));
    return (isWithout ? ruleIndex() : this.#built()).search(text, limit);
  }

  /**
   * The end of the longest value that starts at `start`; undefined if there is none. With `origin`, only values of that
   * origin count.
   */
  endAt(text: string, start: number, origin?: Origin): number | undefined {
    let length = 0;
    for (const form of this.#index?.itemsAt(text, start) ?? []) {
      const isAsked = form.origin !== undefined && form.origin === (origin ?? form.origin);
      if (isAsked && form.text.length > length && text.startsWith(form.text, start)) length = form.text.length;
    }
    return length === 0 || text.startsWith(marker, start) ? undefined : start + length;
  }

  /**
   * Replaces the values that start before `limit`; with `origin`, only values of that origin. Returns the text up to
   * `limit`, or up to the end of a value that continues after `limit`. `search` is an existing search of `text`.
   */
  replace(text: string, limit: number, mark: Marker, origin?: Origin, search = this.search(text, limit)) {
    if (this.#index === undefined) return { output: text.slice(0, limit), end: limit };
    const output: string[] = [];
    let copied = 0;
    for (let start = search.next(0, limit); start >= 0; ) {
      const isMark = text.startsWith(marker, start);
      const end = isMark ? start + marker.length : this.endAt(text, start, origin);
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

  /** Whether a text contains a recognised value. */
  hasRecognised(text: string): boolean {
    const search = this.search(text, text.length);
    for (let at = search.next(0, text.length); at >= 0; at = search.next(at + 1, text.length))
      if (this.endAt(text, at, 'recognised') !== undefined) return true;
    return false;
  }

  /** The start of the first value that may continue after the end of the text; the text's length if there is none. */
  openAt(text: string): number {
    const index = this.#forms.size === 0 ? undefined : this.#built();
    for (let start = Math.max(0, text.length - this.#maxFormChars + 1); start < text.length; start++) {
      const rest = text.slice(start);
      const isOpen = ({ text: form }: Form) => form.length > rest.length && form.startsWith(rest);
      if (rest.length < 4 ? this.#starts.has(rest) : index?.itemsAt(text, start).some(isOpen)) return start;
    }
    return text.length;
  }

  #add(text: string, origin: Origin): void {
    const known = this.#forms.get(text)?.origin;
    if (known === origin || known === 'learned') return;
    this.#revision++;
    const form: Form = { text, heads: [text], origin };
    this.#forms.set(text, form);
    this.#index?.add(form);
    this.#maxFormChars = Math.max(this.#maxFormChars, text.length);
    for (const length of [1, 2, 3]) this.#starts.add(text.slice(0, length));
    if (origin === 'recognised' && ++this.#recognised > maxRecognised) this.#forgetOldest();
  }

  /** Forgets the older half of the recognised values. */
  #forgetOldest(): void {
    const recognised = [...this.#forms.values()].filter((form) => form.origin === 'recognised');
    for (const { text } of recognised.slice(0, maxRecognised / 2)) this.#forms.delete(text);
    this.#recognised = recognised.length - maxRecognised / 2;
    this.#index = undefined;
  }

  /** The search index, built on first use. */
  #built(): HeadIndex<Form> {
    this.#index ??= new HeadIndex([...this.#forms.values(), markForm], ruleIndex());
    return this.#index;
  }
}

/** Names of algorithms, types and models, which also mix letters and digits. */
const technical =
  /^(?:x?sha|md|base|utf|iso|u?int|float|aes|rsa|hmac|ed|es|ecdsa|curve|secp|oauth|http|gpt|web)[-_]?\d/i;
const maxTellingChars = 4_096;

/**
 * Whether a value is unlikely to occur by chance: it looks random, has several words, or has signs or digits beside
 * letters.
 */
function isTelling(value: string): boolean {
  if (value.length > maxTellingChars || /[\r\n]/.test(value) || technical.test(value)) return false;
  return looksRandom(value) || /^(?=.*[A-Za-z]).*[\d!@#$%^&*+~?]/.test(value) || value.split(/[\s_-]+/).length >= 4;
}

function isDistinctive(value: string): boolean {
  const text = value.trim();
  if (text.length < minValueChars || dictionary.test(text) || commonDigits.test(text) || isInMark(text)) return false;
  return text.length >= minFormChars || !/^(?:[A-Za-z]+|\d+)$/.test(text);
}

/** Whether a text may be a part of a mark, with or without a kind and a number. */
function isInMark(text: string): boolean {
  return marker.includes(text) || /^[a-z-]*#\d+\]?$/.test(text) || marks.includes(text);
}

function writingsOf(value: string): readonly string[] {
  const text = value.trim();
  const json = JSON.stringify(text).slice(1, -1);
  // HTML forms write a space as a plus sign. Some encoders escape characters that `encodeURIComponent` does not escape;
  // others do not escape the slash.
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

/**
 * The base64 of a text at each of its three alignments in a longer text, without the characters that depend on the
 * neighbouring text.
 */
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
