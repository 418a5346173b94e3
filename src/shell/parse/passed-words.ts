import type { Arguments } from '../programs/arguments.js';
import { computedWord, programName, unversioned } from '../programs/command-words.js';
import { readArguments } from '../programs/read-arguments.js';
import type { CommandWord, PassedWords, SimpleCommand } from './simple-command.js';

/** Stands for any number of words that a wrapper appends at run time. */
const followingWord = computedWord('"$@"');

const inBraces = /(?<!\$)\{[\w./#%+-]*\}|\{=.*?=\}/s;

/**
 * How a command such as `xargs` passes run-time words to the program that it starts; undefined for any other command.
 */
export function passedWords({ name, program, options, values, started }: Arguments): PassedWords | undefined {
  if (program === undefined) return undefined;
  if ([...options].some((option) => program.options.get(option)?.kind === 'commandUntil')) {
    const hasPlaceholder = started.some(({ words }) => words.some(({ value }) => inBraces.test(value)));
    return { placeholder: inBraces, follow: name.startsWith('fd') && !hasPlaceholder, isPath: true };
  }
  if (!program.traits.has('xargs')) return undefined;
  const marking = ['-I', '-J', '-i', '--replace'].filter((option) => options.has(option));
  const marks = values.flatMap(({ option, word }) => (marking.includes(option ?? '') ? [word.value] : []));
  const marker = marks.at(-1) ?? (marking.length > 0 ? '{}' : undefined);
  const forms = [
    ...(marker === undefined ? [] : [marker.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')]),
    ...(program.traits.has('joined') ? [inBraces.source] : []),
  ];
  return { placeholder: new RegExp(forms.join('|') || '(?!)', 's'), follow: marker === undefined, isPath: false };
}

/**
 * The text of a shell command with `"$@"` in place of each placeholder. A text without a placeholder gets `"$@"` at its
 * end.
 */
export function withPassedWords(text: string, { placeholder }: PassedWords): string {
  const filled = text.replaceAll(new RegExp(placeholder, 'gs'), '"$@"');
  return filled === text ? `${text} "$@"` : filled;
}

/**
 * The words of a command, including those that a wrapper passes at run time. A word with a placeholder is a computed
 * word.
 */
export function wordsOf({ argv, passed }: Pick<SimpleCommand, 'argv' | 'passed'>): readonly CommandWord[] {
  if (passed === undefined) return argv;
  const words = argv.map((word) =>
    passed.placeholder.test(word.value) ? ({ ...word, kind: 'computed' } as const) : word,
  );
  return passed.follow ? [...words, followingWord, followingWord] : words;
}

/** Adds to a command the name of its program, and its arguments as the program interprets them. */
export function readCall(command: Omit<SimpleCommand, 'name' | 'words' | 'read'>): SimpleCommand {
  const [program, ...words] = command.argv;
  const name = unversioned(programName(program));
  return { ...command, name, words: words.map(({ value }) => value), read: readArguments(wordsOf(command)) };
}

/** Whether a word stands for the words that a wrapper appends at run time. */
export function isFollowing(word: CommandWord): boolean {
  return word === followingWord;
}

/**
 * Whether the program may get an option at run time in place of this word: the word stands for several words (`"$@"`),
 * or begins with words that a wrapper passes. Any other expansion is assumed to be one operand.
 */
export function mayPassOptions({ kind, text, value }: CommandWord, passed: PassedWords | undefined): boolean {
  if (kind !== 'computed') return false;
  return /\$\{?[@*]|\[[@*]\]/.test(text) || (passed?.isPath === false && value.search(passed.placeholder) === 0);
}
