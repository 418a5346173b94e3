import type { Marker } from './credential-scan.js';
import { looksRandom } from './secret-value.js';

const marker = '[REDACTED]';
/** Shorter values would turn up by chance in ordinary text. */
const minValueChars = 6;
/** Encoded forms and lines of a value that are shorter say too little. */
const minFormChars = 8;
/** Words that stand in variables with secret names without being secret. */
const commonWords =
  /^(?:password|passwd|secret|default|changeme|disabled|enabled|required|optional|undefined|development|production|staging|testing|localhost|postgres|postgresql|database|username|anonymous|redacted|\d{1,5}|(.)\1*)$/i;

/**
 * Secrets known by value. Each is found as it is, in base64 (at any of the three alignments, both alphabets), URL-encoded and as JSON
 * writes it. Ignored are values under 6 characters, values of 6 or 7 characters that are only letters or only digits,
 * common words, and values that a marker itself contains.
 */
export class KnownValues {
  readonly #forms = new Set<string>();
  #byHead = new Map<string, readonly string[]>();
  #finder: RegExp | undefined;
  #maxFormChars = 0;

  /** Whether there is nothing to look for. */
  get isEmpty(): boolean {
    return this.#finder === undefined;
  }

  /** Adds values to those that are looked for from now on. */
  learn(values: readonly string[]): void {
    const before = this.#forms.size;
    for (const value of values) {
      if (isDistinctive(value)) for (const form of formsOf(value)) this.#forms.add(form);
    }
    if (this.#forms.size > before) this.#rebuild();
  }

  /** Replaces the values that begin before `limit`; gives the text up to there, or up to the end of the last value. */
  replace(text: string, limit: number, mark: Marker): { readonly output: string; readonly end: number } {
    const output: string[] = [];
    let copied = 0;
    const finder = this.#finder;
    if (finder === undefined) return { output: text.slice(0, limit), end: limit };
    finder.lastIndex = 0;
    for (let match = finder.exec(text); match !== null && match.index < limit; match = finder.exec(text)) {
      const { index } = match;
      if (match[0] === marker) continue;
      const form = this.#byHead.get(match[0])?.find((candidate) => text.startsWith(candidate, index));
      if (form === undefined) {
        finder.lastIndex = index + 1;
        continue;
      }
      output.push(
        text.slice(copied, index),
        form.replace(/[^\r\n]+/g, (line) => (line.trim() === '' ? line : mark('known-value', line))),
      );
      copied = index + form.length;
      finder.lastIndex = copied;
    }
    const end = Math.max(copied, limit);
    output.push(text.slice(copied, end));
    return { output: output.join(''), end };
  }

  /** Where the first value begins that the text may break off in the middle of; the length of the text if none does. */
  openAt(text: string): number {
    for (let start = Math.max(0, text.length - this.#maxFormChars + 1); start < text.length; start++) {
      const rest = text.slice(start);
      if (marker.startsWith(rest) || this.#startsForm(rest)) return start;
    }
    return text.length;
  }

  #startsForm(rest: string): boolean {
    if (rest.length >= minValueChars)
      return this.#byHead.get(rest.slice(0, minValueChars))?.some((form) => form.length > rest.length && form.startsWith(rest)) ?? false;
    for (const head of this.#byHead.keys()) if (head.startsWith(rest)) return true;
    return false;
  }

  #rebuild(): void {
    const byHead = new Map<string, string[]>();
    for (const form of [...this.#forms].sort((a, b) => b.length - a.length)) {
      const head = form.slice(0, minValueChars);
      const forms = byHead.get(head);
      if (forms === undefined) byHead.set(head, [form]);
      else forms.push(form);
      this.#maxFormChars = Math.max(this.#maxFormChars, form.length, marker.length);
    }
    this.#byHead = byHead;
    this.#finder = new RegExp([marker, ...[...byHead.keys()].sort()].map(escapeExpression).join('|'), 'g');
  }
}

function isDistinctive(value: string): boolean {
  const text = value.trim();
  if (text.length < minValueChars || commonWords.test(text) || marker.includes(text)) return false;
  return text.length >= minFormChars || !/^(?:[A-Za-z]+|\d+)$/.test(text);
}

function formsOf(value: string): readonly string[] {
  const text = value.trim();
  const url = encodeURIComponent(wellFormed(text));
  const encoded = [
    JSON.stringify(text).slice(1, -1),
    url,
    lowerPercent(url),
    url.replace(/%20/g, '+'),
    ...base64Forms(text),
    ...(value === text ? [] : base64Forms(value)),
  ];
  const lines = text.includes('\n')
    ? text
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => looksRandom(line))
    : [];
  return [text, ...[...encoded, ...lines].filter((form) => form.length >= minFormChars)];
}

/** Text without halves of surrogate pairs, which cannot be encoded. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

function lowerPercent(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/** Base64 of text at each place it can have in a longer one, without the characters that its neighbours share. */
function base64Forms(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  const forms = [bytes.toString('base64'), bytes.toString('base64url')];
  for (const shift of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(shift), bytes]);
    const inner = padded.toString('base64').slice(Math.ceil((shift * 8) / 6), Math.floor((padded.length * 8) / 6));
    forms.push(inner, inner.replace(/\+/g, '-').replace(/\//g, '_'));
  }
  return forms;
}

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
