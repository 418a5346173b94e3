import { ToolError } from '../../../core/error.js';

/** A pattern cannot be used. The message tells the model why. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const steps: readonly (readonly [about: RegExp, step: string])[] = [
  [/look-around/, 'Write the pattern without look-around, and filter what it finds.'],
  [/backreferences/, 'Write the pattern without backreferences, and filter what it finds.'],
  [/"\\n" is not allowed/, 'Set multiline to search across lines, or search for the lines one by one.'],
  [
    /needs ripgrep/,
    'Write it in another way, or make ripgrep available: install the package @vscode/ripgrep, or put rg on the PATH.',
  ],
  [/impossible to match/, 'Files with a zero byte are binary and are not searched; leave it out of the pattern.'],
];

/** Advice for the model that fits an error message. */
export function nextStep(words: string): string {
  return steps.find(([about]) => about.test(words))?.[1] ?? 'Correct the pattern, glob or type and search again.';
}

/** Turns a {@link PatternError} into `invalid_input`; any other error is returned unchanged. */
export function refusedQuery(thrown: unknown): unknown {
  if (!(thrown instanceof PatternError)) return thrown;
  return new ToolError('invalid_input', `${thrown.message}. ${nextStep(thrown.message)}`);
}
