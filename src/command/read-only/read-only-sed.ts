import { isOption } from '../read/command-options.js';

const options = /^(?:-[nEr]+|--quiet|--silent|--regexp-extended)$/;
const printing = /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?[pdq=]?|\/[^/\\\n]*\/[pd]|s\/[^/\\\n]*\/[^/\\\n]*\/[gIip0-9]*)$/;

/**
 * True for words after `sed` of which the first operand only prints, deletes or replaces in the output: `1,20p`,
 * `/x/p`, `s/a/b/g`.
 */
export function isReadOnlySed(words: readonly string[]): boolean {
  const script = words.find((word) => !isOption(word)) ?? '';
  return printing.test(script) && words.every((word) => !isOption(word) || options.test(word));
}
