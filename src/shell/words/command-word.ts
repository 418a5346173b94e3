/**
 * How much of a word is known before it runs. `literal`: only quoted. `glob`: a literal pattern for file names.
 * `resolved`: derived from variables or escapes of the same line. `computed`: only known at run time; `value` omits the
 * unknown parts.
 */
export type WordKind = 'literal' | 'glob' | 'resolved' | 'computed';

/** One word of a command after quoting and expansion; `Run` is a command whose output is part of it. */
export interface Word<Run = unknown> {
  /** The word as it was written. */
  readonly text: string;
  /** The word as the program gets it, as far as known. */
  readonly value: string;
  readonly kind: WordKind;
  /** Commands whose output is part of the word. */
  readonly runs: readonly Run[];
}

/** Makes a literal word. */
export function literalWord(value: string): Word<never> {
  return { text: value, value, kind: 'literal', runs: [] };
}

/** Makes a word that is only known at run time. */
export function computedWord(text: string): Word<never> {
  return { text, value: '', kind: 'computed', runs: [] };
}

/**
 * The normalized name of a program: last path segment, lower case, without `.exe`, `.cmd` and `.bat`, look-alike and
 * invisible characters folded.
 */
export function programName(word: Word | undefined): string {
  if (word === undefined) return '';
  return plainText(word.value)
    .replace(/^.*[\\/]/s, '')
    .toLowerCase()
    .replace(/(?<=.)\.(?:exe|cmd|bat)$/, '');
}

/** Whether a word is an option: `-x`, `-xyz` or `--long`, not `-` alone. */
export function isOption(value: string): boolean {
  return value.length > 1 && value.startsWith('-');
}

const invisible = /(?![\n\t])\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029]|\u2800|\u{1d159}|\p{Cs}/u;
const everyInvisible = new RegExp(invisible, 'gu');
const printable = /^[\x20-\x7e\n\t]*$/;

/** Whether a text contains control or invisible characters other than line ends and tabs. */
export function holdsInvisible(text: string): boolean {
  return !printable.test(text) && invisible.test(text);
}

/**
 * Normalizes compatibility forms (NFKC) and removes control and invisible characters, so that an obfuscated word
 * compares equal.
 */
export function plainText(text: string): string {
  return printable.test(text) ? text : text.normalize('NFKC').replace(everyInvisible, '').trim();
}
