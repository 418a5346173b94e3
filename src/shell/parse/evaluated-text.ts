import { argumentsOf } from './arguments-of.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';

/** What runs in a text that the shell evaluates; a subscript may hold the end of what an earlier one begins. */
const substitution = /`|\$[({[]|\w\[[^\]]*\$/;
/** Text in quotes, and characters that are written so that they run nothing yet. */
const quoted = /\$?'[^']*'|\\[`$]/g;

/** Whether a word of a builtin that evaluates its words is more than names, numbers and texts. */
export function isEvaluable({ value }: CommandWord): boolean {
  return /[`$]|\w\[/.test(value);
}

/**
 * Whether code stands in quotes where the shell may come to evaluate it: in one of its expressions, or in any text of a
 * line that holds such an expression, since a variable may bring it there.
 */
export function evaluatesCode(commands: readonly SimpleCommand[], expressions: readonly string[]): boolean {
  if (expressions.length === 0) return false;
  const isWritten = (text: string) =>
    [...text.matchAll(quoted)].some(([part]) => /^[\\$]/.test(part) || substitution.test(part));
  return (
    expressions.some(isWritten) || commands.some((command) => textsOf(command).some((text) => substitution.test(text)))
  );
}

function textsOf(command: SimpleCommand): readonly string[] {
  const { values } = argumentsOf(command);
  const code = new Set(values.flatMap(({ kind, word }) => (kind === 'command' || kind === 'code' ? [word] : [])));
  return [
    ...command.argv.flatMap((word) => (code.has(word) ? [] : [word.value])),
    ...command.assignments.map(({ value }) => value.value),
    ...command.redirections.flatMap(({ target, body }) => body ?? target?.value ?? []),
  ];
}
