import { argumentsOf } from './arguments-of.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';

/** Substitutions in text that the shell evaluates; a subscript may hold the end of an earlier one. */
const substitution = /`|\$[({[]|\w\[[^\]]*\$/;
/** Quoted text and escaped characters, which the shell does not run at first. */
const quoted = /\$?'[^']*'|\\[`$]/g;

/** Whether a word of an evaluating builtin has code, and not only names, numbers and texts. */
export function isEvaluable({ value }: CommandWord): boolean {
  return /[`$]|\w\[/.test(value);
}

/**
 * Whether quoted code may be evaluated by the shell: code in one of its expressions, or in any text of a line with such
 * an expression, since a variable may pass it there.
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
