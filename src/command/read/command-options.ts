import type { CommandWord } from './simple-command.js';

/** Words of a command after its program, by their kinds. */
export interface OptionWords {
  /** Every option word before `--`, values joined to them included. */
  readonly options: readonly string[];
  /** Everything that is no option, values of options included where the program is not known better. */
  readonly operands: readonly CommandWord[];
}

/** Separates option words from operands; `--` ends the options. */
export function splitOptions(words: readonly CommandWord[]): OptionWords {
  const end = words.findIndex((word) => word.value === '--');
  const before = end === -1 ? words : words.slice(0, end);
  const after = end === -1 ? [] : words.slice(end + 1);
  return {
    options: before.map((word) => word.value).filter(isOption),
    operands: [...before.filter((word) => !isOption(word.value)), ...after],
  };
}

/** True for `-x`, `-xyz` and `--long`, not for `-` alone. */
export function isOption(value: string): boolean {
  return value.length > 1 && value.startsWith('-');
}

/** True when a cluster of short options (`-xvf`) holds one of the letters. Long options never do. */
export function hasLetter(options: readonly string[], letters: string): boolean {
  return options.some(
    (option) => !option.startsWith('--') && Array.from(option.slice(1)).some((letter) => letters.includes(letter)),
  );
}

/**
 * True when a long option is given whole, with a value (`--name=x`) or abbreviated to at least `shortest`, as GNU
 * programs allow.
 */
export function hasLong(options: readonly string[], name: string, shortest = name): boolean {
  return options.some((option) => {
    const given = option.split('=', 1)[0] ?? '';
    return given.length >= shortest.length && name.startsWith(given);
  });
}

/** How a program takes its own options before the command it runs. */
export interface OptionShape {
  /** Short options that take a value, as letters. */
  readonly letters?: string;
  /** Long options that take their value as the next word. */
  readonly longs?: readonly string[];
}

/** Index of the first word at or after `start` that is neither an option nor the value of one. */
export function skipOptions(words: readonly CommandWord[], start: number, shape: OptionShape): number {
  let index = start;
  while (index < words.length) {
    const value = words[index]?.value ?? '';
    if (value === '--') return index + 1;
    if (!isOption(value)) return index;
    index += takesNextWord(value, shape) ? 2 : 1;
  }
  return index;
}

function takesNextWord(value: string, { letters = '', longs = [] }: OptionShape): boolean {
  if (value.startsWith('--')) return longs.includes(value);
  const first = Array.from(value.slice(1)).findIndex((letter) => letters.includes(letter));
  return first !== -1 && first === value.length - 2;
}
