import type { CommandWord } from '../parse/simple-command.js';

/** The pattern of any name, hidden names included. */
export const anyName: CommandWord = { text: '?(.)*', value: '?(.)*', kind: 'glob', runs: [] };

/** Whether a word is a pattern for file names. */
export function isPattern(word: CommandWord): boolean {
  return word.kind !== 'literal' && word.kind !== 'computed' && /[*?[]/.test(word.value);
}

/** Converts a word with brace expansions to a pattern. Braces that contain paths may stand for any file. */
export function patternOf(word: CommandWord): CommandWord {
  const { text, kind } = word;
  if (kind !== 'computed' || !/\{[^{}]*(?:,|\.\.)/.test(text)) return word;
  const value = starred(text.replaceAll(/["'\\]/g, ''));
  const holdsPaths = /[/~]/.test(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  return { ...word, value, kind: /[$`]/.test(value) || holdsPaths ? 'computed' : 'glob' };
}

const maxNesting = 8;

/**
 * Replaces the braces of a text with stars. Only braces with a hidden name become a pattern that also matches hidden
 * names.
 */
export function starred(text: string): string {
  let plain = text;
  for (let depth = 0; depth < maxNesting; depth++)
    plain = plain.replaceAll(/(?<!\$)\{[^{}]*\}/g, (group) => (/[{,](?:\.|\?\()/.test(group) ? '?(.)*' : '*'));
  return plain.replaceAll(/(?<!\$)\{.*/gs, '?(.)*');
}
