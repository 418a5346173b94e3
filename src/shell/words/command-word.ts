/**
 * How much is known of a word before it runs. `literal`: only quoting stood around it. `glob`: a literal pattern that
 * file names replace. `resolved`: worked out from variables or escapes of the same line. `computed`: known only when it
 * runs; `value` then leaves the unknown parts out.
 */
export type WordKind = 'literal' | 'glob' | 'resolved' | 'computed';

/** One word of a command after quoting and expansion; `Run` is a command whose output stands in it. */
export interface Word<Run = unknown> {
  /** The word as it was written. */
  readonly text: string;
  /** The word as the program gets it, as far as that is known. */
  readonly value: string;
  readonly kind: WordKind;
  /** The commands whose output stands in the word. */
  readonly runs: readonly Run[];
}

/** Makes a word of which every character is known. */
export function literalWord(value: string): Word<never> {
  return { text: value, value, kind: 'literal', runs: [] };
}

/** Makes a word that only the running shell knows. */
export function computedWord(text: string): Word<never> {
  return { text, value: '', kind: 'computed', runs: [] };
}

/**
 * The name a program goes by: last path segment, lower case, `.exe`, `.cmd` and `.bat` dropped, look-alike and
 * invisible characters folded.
 */
export function programName(word: Word | undefined): string {
  if (word === undefined) return '';
  return plainText(word.value)
    .replace(/^.*[\\/]/s, '')
    .toLowerCase()
    .replace(/(?<=.)\.(?:exe|cmd|bat)$/, '');
}

/** True for `-x`, `-xyz` and `--long`, not for `-` alone. */
export function isOption(value: string): boolean {
  return value.length > 1 && value.startsWith('-');
}

const invisible = /(?![\n\t])\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029]|\u2800|\u{1d159}|\p{Cs}/u;
const everyInvisible = new RegExp(invisible, 'gu');
const printable = /^[\x20-\x7e\n\t]*$/;

/** True for a text with control or other characters that cannot be seen; line ends and tabs are no such characters. */
export function holdsInvisible(text: string): boolean {
  return !printable.test(text) && invisible.test(text);
}

/**
 * Folds compatibility forms (NFKC) and drops control and invisible characters, so that a disguised word compares equal.
 */
export function plainText(text: string): string {
  return printable.test(text) ? text : text.normalize('NFKC').replace(everyInvisible, '').trim();
}
