/** The options of a program that are known to be harmless. Everything else that begins with `-` is not proven. */
export interface ProvenOptions {
  /** Short options without a value; they may stand together (`-la`). */
  readonly flags?: string;
  /** Short options with a value, joined (`-n5`) or as the next word. */
  readonly valued?: string;
  /** Long options by their whole names, without the two dashes. */
  readonly longs?: readonly string[];
  /** Other option words as a whole. */
  readonly words?: RegExp;
}

/** The flags of programs that take a number as an option (`-5`). */
export const digits = '0123456789';

/** Builds the options of a program from a line each: short ones without a value, short ones with one, long ones. */
export function provenOptions(flags: string, valued = '', longs = ''): ProvenOptions {
  return { flags, valued, longs: longs.split(/\s+/).filter((name) => name !== '') };
}

/** True for an option word that is on the list; abbreviated long options never are. */
export function isProvenOption(word: string, { flags = '', valued = '', longs = [], words }: ProvenOptions): boolean {
  if (word === '--' || words?.test(word)) return true;
  if (word.startsWith('--')) return longs.includes(word.slice(2).split('=', 1)[0] ?? '');
  const letters = Array.from(word.slice(1));
  const end = letters.findIndex((letter) => !flags.includes(letter));
  return end === -1 || valued.includes(letters[end] ?? '');
}
