import { isOption } from './command-options.js';
import { isReadOnlyGit } from './read-only-git.js';
import type { ReadOnlyProgram } from './read-only-programs.js';
import { readOnlyPrograms } from './read-only-programs.js';
import { isReadOnlySed } from './read-only-sed.js';
import { isSecretPath, mayLeaveFolder } from './sensitive-path.js';
import type { CommandRedirection, CommandWord, SimpleCommand } from './simple-command.js';

const harmlessVariables =
  /^(?:CI|NODE_ENV|LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|TERM|COLORTERM|COLUMNS|LINES|RUST_BACKTRACE|RUST_LOG|LOG_LEVEL|VERBOSE|PORT|HOST)$/;

/** Why a command is not proven to only read; `undefined` when it is. */
export function doubtReadOnly(command: SimpleCommand, isInside: (path: string) => boolean): string | undefined {
  const program = command.argv[0];
  if (!program || program.value === '') return 'it sets variables or redirects a group';
  if (command.argv.some((word) => word.kind === 'computed' || word.kind === 'resolved') || program.kind !== 'literal')
    return 'it is computed when it runs';
  const shell = doubtSurroundings(command);
  if (shell !== undefined) return shell;
  const words = command.argv.slice(1);
  if (words.some((word) => word.kind === 'glob' && /^[*?[-]/.test(word.value))) return 'a pattern may turn into an option';
  const sources = command.redirections.filter((each) => each.operator === '<').map((each) => each.target?.value ?? '');
  const source = doubtPaths(
    sources.filter((path) => path !== '/dev/null'),
    isInside,
  );
  return source ?? doubtProgram(program.value, words, isInside);
}

/** Why what stands around the words (variables, redirections) may do more than the words say. */
export function doubtSurroundings(command: SimpleCommand): string | undefined {
  const variable = command.assignments.find((each) => !harmlessVariables.test(each.name) || each.value.kind === 'computed');
  if (variable) return `it sets ${variable.name}`;
  const redirection = command.redirections.find((each) => !isHarmless(each));
  return redirection && `it redirects to ${redirection.target?.text ?? 'a file'}`;
}

function isHarmless({ operator, target, body }: CommandRedirection): boolean {
  if (!target || target.kind === 'computed' || target.kind === 'resolved') return false;
  if (body !== undefined) return true;
  if (operator === '<') return !/^\/(?:dev|proc)\//.test(target.value) || target.value === '/dev/null';
  if (operator === '>&' || operator === '<&') return /^(?:\d+-?|-)$/.test(target.value);
  return target.value === '/dev/null' && operator !== '<>';
}

function doubtProgram(name: string, words: readonly CommandWord[], isInside: (path: string) => boolean): string | undefined {
  const values = words.map((word) => word.value);
  if (name === 'git') return isReadOnlyGit(values) ? doubtPaths(values, isInside) : 'this git command is not known to only read';
  if (name === 'sed')
    return isReadOnlySed(values) ? doubtPaths(withoutFirstOperand(values), isInside) : 'this sed script is not known to only read';
  const program = readOnlyPrograms.get(name);
  if (!program) return `${name} is not known to only read`;
  const refused = values.find((value) => program.refused?.test(value) || (program.proven && !program.proven.test(value)));
  if (refused !== undefined) return `${name} ${refused} may do more than read`;
  if (!fitsShape(program, values)) return `${name} may do more than read with these words`;
  const { patternFirst } = program;
  const paths = patternFirst && !values.some((value) => patternFirst.test(value)) ? withoutFirstOperand(values) : values;
  return program.readsPaths ? doubtPaths(paths, isInside) : undefined;
}

function fitsShape({ firstWord, maxWords, maxOperands }: ReadOnlyProgram, values: readonly string[]): boolean {
  if (firstWord && !firstWord.test(values[0] ?? '')) return false;
  if (maxWords !== undefined && values.length > maxWords) return false;
  return maxOperands === undefined || values.filter((value) => !isOption(value)).length <= maxOperands;
}

function withoutFirstOperand(values: readonly string[]): readonly string[] {
  const first = values.findIndex((value) => !isOption(value));
  return values.filter((_, index) => index !== first);
}

function doubtPaths(values: readonly string[], isInside: (path: string) => boolean): string | undefined {
  for (const value of values) {
    const path = value.replace(/^--?[\w-]+=/, '').replace(/^-[a-zA-Z]+(?=[~/.])/, '');
    if (isSecretPath(path) || isSecretPath(path.replace(/^[^:]*:/, ''))) return `${path} may hold secrets`;
    if (mayLeaveFolder(path) && !isInside(path)) return `${path} may be outside the working folder`;
  }
  return undefined;
}
