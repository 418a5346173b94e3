/**
 * How much of a word is known before the command runs. `literal`: plain or quoted text. `glob`: a literal pattern for
 * file names. `resolved`: derived from variables or escapes of the same line. `computed`: only known at run time;
 * `value` omits the unknown parts.
 */
export type WordKind = 'literal' | 'glob' | 'resolved' | 'computed';

/**
 * One word of a command after quoting and expansion. `Run` is the type of a command whose output is part of the word.
 */
export interface Word<Run = unknown> {
  /** The word as it was written. */
  readonly text: string;
  /** The word as the program gets it, as far as known. */
  readonly value: string;
  readonly kind: WordKind;
  /** Commands whose output is part of the word. */
  readonly runs: readonly Run[];
}

export function literalWord(value: string): Word<never> {
  return { text: value, value, kind: 'literal', runs: [] };
}

/** Makes a word that is only known at run time. */
export function computedWord(text: string): Word<never> {
  return { text, value: '', kind: 'computed', runs: [] };
}

/**
 * The normalized name of a program: the last path segment in lower case, without `.exe`, `.cmd`, `.bat` and the version
 * suffix that package runners accept (`npm@10`). Compatibility forms of characters are normalized and invisible
 * characters are removed.
 */
export function programName(word: Word | undefined): string {
  if (word === undefined) return '';
  return plainText(word.value)
    .replace(/(?<=[^\\/])@[^\\/@]*$|^.*[\\/]/gs, '')
    .toLowerCase()
    .replace(/(?<=.)\.(?:exe|cmd|bat)$/, '');
}

/** Programs whose names may end with a version. */
const versioned = /^(pip|python|pypy|ruby|perl|php|lua|node|gcc|g\+\+|clang|clang\+\+)-?\d[\d.]*(?=$| )/;

/** A program name without the version in its file name: `pip` for `pip3.11`. */
export function unversioned(name: string): string {
  return name.replace(versioned, '$1');
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
 * Normalizes compatibility forms (NFKC) and removes control and invisible characters, so that an obfuscated word is
 * equal to the plain word.
 */
export function plainText(text: string): string {
  return printable.test(text) ? text : text.normalize('NFKC').replace(everyInvisible, '').trim();
}

/** Whether a path may leave the working folder: the path is absolute, relative to a home folder, or contains `..`. */
export function mayLeaveFolder(path: string): boolean {
  return /^[/~\\]|^[a-z]:[\\/]/i.test(path) || /(?:^|[/\\=:])\.\.(?:[/\\]|$)/.test(path);
}

const maxPieces = 8;

/**
 * The paths that a word may name: the word itself, and the text after each colon (`HEAD:path`, `:0:path`,
 * `:(top)path`). Undefined for more than eight parts.
 */
export function namedPaths(word: string): readonly string[] | undefined {
  const pieces = word.split(':', maxPieces + 1);
  if (pieces.length > maxPieces) return undefined;
  const suffixes = pieces.map((_, index) =>
    pieces
      .slice(index)
      .join(':')
      .replace(/^(?:\([^)]*\)|[/!^]+)/, ''),
  );
  return [...new Set([word, ...suffixes])];
}
