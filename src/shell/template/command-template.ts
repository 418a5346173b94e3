import { ToolError } from '../../core/error.js';
import type { InputIssue } from '../../core/schema/validate-value.js';
import { shellQuote } from '../../core/text/shell-quote.js';
import { argumentWords, type TemplateWord } from './placeholder-words.js';

const placeholder = /\{\{\.([\w-]+)\}\}/g;

/**
 * A command line with placeholders `{{.key}}`. Each placeholder is replaced by the argument of that name, quoted as one
 * word or part of a word. Throws a TypeError for a placeholder with an unknown key, and for a placeholder where the
 * shell or a program could interpret the argument: see {@link argumentWords}.
 */
export class CommandTemplate {
  /** The line with a plain word for each placeholder, so that it can be assessed without arguments. */
  readonly sample: string;
  /** The texts before, between and after the placeholders. */
  readonly #literals: readonly string[];
  readonly #keys: readonly string[];
  readonly #words: readonly TemplateWord[];

  /**
   * `limited` contains the keys whose values are limited by the schema. Any program may get these values, but not as
   * code.
   */
  constructor(text: string, keys: ReadonlySet<string>, limited: ReadonlySet<string>) {
    const parts = text.split(placeholder);
    this.#literals = parts.filter((_, index) => index % 2 === 0);
    this.#keys = parts.filter((_, index) => index % 2 === 1);
    assertWritten(this.#literals, this.#keys, keys);
    const marker = markerFor(text);
    this.sample = this.#filled((index) => marker.of(index));
    this.#words = this.#keys.length === 0 ? [] : argumentWords(this.sample, marker.all, this.#keys, limited);
  }

  /** Problems of arguments that are valid according to their schema. */
  issuesOf(input: Readonly<Record<string, unknown>>): readonly InputIssue[] {
    const issues = [...new Set(this.#keys)].flatMap((key) => {
      const text = wordOf(input, key);
      if (text.includes('\0')) return [{ path: [key], message: 'must contain no NUL character' }];
      return /\p{Cs}/u.test(text) ? [{ path: [key], message: 'must be Unicode text without lone surrogates' }] : [];
    });
    for (const { text, firstKey, program } of this.#words) {
      const [before, ...rest] = text.map((part) => (typeof part === 'string' ? part : this.#valueAt(part, input)));
      if (!rest.join('').startsWith('-') || !/^-*$/.test(before ?? '')) continue;
      const message = `must not begin with "-", which ${program} would read as an option`;
      issues.push({ path: [this.#keys[firstKey] ?? ''], message });
    }
    return issues;
  }

  /** The command line for arguments. Throws `invalid_input` for arguments with issues. */
  render(input: Readonly<Record<string, unknown>>): string {
    const [issue] = this.issuesOf(input);
    if (issue !== undefined) throw new ToolError('invalid_input', `${issue.path.join('.')} ${issue.message}.`);
    return this.#filled((index) => shellQuote(this.#valueAt(index, input)));
  }

  #valueAt(index: number, input: Readonly<Record<string, unknown>>): string {
    return wordOf(input, this.#keys[index] ?? '');
  }

  #filled(fill: (index: number) => string): string {
    return this.#literals.map((literal, index) => (index === 0 ? '' : fill(index - 1)) + literal).join('');
  }
}

/** The text of an argument. */
function wordOf(input: Readonly<Record<string, unknown>>, key: string): string {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function assertWritten(literals: readonly string[], used: readonly string[], keys: ReadonlySet<string>): void {
  const unknown = used.find((key) => !keys.has(key));
  if (unknown !== undefined)
    throw new TypeError(`{{.${unknown}}} is not one of its parameters: ${[...keys].join(', ') || 'there are none'}`);
  const written = literals.map((literal) => /.{0,20}\{\{.{0,20}/.exec(literal)?.[0]).find((found) => found);
  if (written !== undefined)
    throw new TypeError(
      `${JSON.stringify(written)} is not a placeholder: write {{.key}}, with the name of a parameter`,
    );
}

/** Makes words that do not occur in the text and are not prefixes of each other. */
function markerFor(text: string) {
  let base = 'argument';
  while (text.includes(base)) base += 'x';
  return { of: (index: number) => `${base}${index}z`, all: new RegExp(`${base}(\\d+)z`, 'g') };
}
