import { type Marker, otherKinds } from './scan/credential-rule.js';
import { tokenKinds } from './scan/credential-token.js';
import { type Headed, HeadIndex } from './scan/literal-prefix-index.js';
import { looksRandom } from './scan/secret-randomness.js';
import { dictionary } from './scan/secret-value.js';

const marker = '[REDACTED]';
/** Shorter values would turn up by chance in ordinary text. */
const minValueChars = 6;
/** Encoded forms and lines of a value that are shorter say too little. */
const minFormChars = 8;
const commonDigits = /^(?:\d{1,5}|(.)\1*)$/;

/** One way in which a known value may be written. */
type Form = Headed & { readonly text: string };

/**
 * Secrets known by value. Each is found as it is, in base64 (at any of the three alignments, both alphabets),
 * URL-encoded and as JSON writes it. Ignored are values under 6 characters, values of 6 or 7 characters that are only
 * letters or only digits, common words, and values that a mark itself contains.
 */
export class KnownValues {
  readonly #texts = new Set<string>();
  #search: HeadIndex<Form> | undefined;
  #forms: readonly Form[] = [];
  #maxFormChars = 0;

  /** How many texts are looked for; more whenever something new was learned. */
  get count(): number {
    return this.#texts.size;
  }

  /** Adds values to those that are looked for from now on. */
  learn(values: readonly string[]): void {
    const before = this.#texts.size;
    for (const value of values) {
      if (isDistinctive(value)) for (const text of writingsOf(value)) this.#texts.add(text);
    }
    if (this.#texts.size > before) this.#search = undefined;
  }

  /** Replaces the values that begin before `limit`; gives the text up to there, or up to the end of the last value. */
  replace(text: string, limit: number, mark: Marker): { readonly output: string; readonly end: number } {
    const index = this.#index();
    const search = index.search(text, limit);
    const output: string[] = [];
    let copied = 0;
    let start = this.count === 0 ? -1 : search.next(0, limit);
    if (start < 0) return { output: text.slice(0, limit), end: limit };
    while (start >= 0) {
      const form = index.itemsAt(text, start).find((candidate) => text.startsWith(candidate.text, start));
      if (form !== undefined && form.text !== marker) {
        output.push(
          text.slice(copied, start),
          form.text.replace(/[^\r\n]+/g, (line) => (line.trim() === '' ? line : mark('known-value', line))),
        );
        copied = start + form.text.length;
      }
      start = search.next(start + (form?.text.length ?? 1), limit);
    }
    const end = Math.max(copied, limit);
    output.push(text.slice(copied, end));
    return { output: output.join(''), end };
  }

  /** Where the first value begins that the text may break off in the middle of; the length of the text if none does. */
  openAt(text: string): number {
    if (this.count === 0) return text.length;
    this.#index();
    for (let start = Math.max(0, text.length - this.#maxFormChars + 1); start < text.length; start++) {
      const rest = text.slice(start);
      if (this.#forms.some((form) => form.text.length > rest.length && form.text.startsWith(rest))) return start;
    }
    return text.length;
  }

  /** What to look for, put in order when it is first needed after something was learned. */
  #index(): HeadIndex<Form> {
    if (this.#search !== undefined) return this.#search;
    const texts = [...this.#texts, marker].sort((a, b) => b.length - a.length);
    this.#forms = texts.map((text) => ({ text, heads: [text] }));
    this.#maxFormChars = texts[0]?.length ?? 0;
    this.#search = new HeadIndex(this.#forms);
    return this.#search;
  }
}

function isDistinctive(value: string): boolean {
  const text = value.trim();
  if (text.length < minValueChars || dictionary.test(text) || commonDigits.test(text) || isInMark(text)) return false;
  return text.length >= minFormChars || !/^(?:[A-Za-z]+|\d+)$/.test(text);
}

/** Whether text may stand inside of a mark, of either form. */
function isInMark(text: string): boolean {
  return (
    marker.includes(text) ||
    /^[a-z-]*#\d+\]?$/.test(text) ||
    [...tokenKinds, ...otherKinds].some((kind) => `[REDACTED:${kind}#`.includes(text))
  );
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
