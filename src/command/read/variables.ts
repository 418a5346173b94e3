import { skipOptions } from './command-options.js';
import {
  type CommandAssignment,
  type CommandWord,
  literalWord,
  programName,
  type SimpleCommand,
} from './simple-command.js';
import { likelyOutputOf } from './static-output.js';

/** What a command line has put into its variables so far; a list has one word for each element. */
export type Variables = Map<string, readonly CommandWord[]>;

/** The words a variable stands for: `undefined` when only the running shell knows. */
export function lookUp(
  name: string,
  variables: Variables,
  insideFunction: boolean,
): readonly CommandWord[] | undefined {
  const known = variables.get(name);
  if (known) return known;
  if (name === 'IFS') return [literalWord(' ')];
  if (name === 'HOME') return [literalWord('~')];
  if (name === 'SHELL' || name === 'BASH' || name === '0') return [literalWord('sh')];
  if (/^(?:[@*]|[1-9]\d*)$/.test(name) && !insideFunction) return [];
  return undefined;
}

const declarations = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
const maxPositional = 20;

/** Remembers what a command leaves in the variables of its shell: bare assignments, declarations, `set -- …`. */
export function keepAssignments(command: SimpleCommand, variables: Variables): void {
  const [program, option, ...rest] = command.argv;
  if (!program || declarations.has(programName(program)))
    for (const { name, value } of command.assignments) variables.set(name, elementsOf(value));
  if (program) for (const [name, words] of filledBy(command)) variables.set(name, words);
  if (program?.value !== 'set') return;
  const operands = option?.value === '--' ? rest : command.argv.slice(skipOptions(command.argv, 1, { letters: 'o' }));
  if (operands.length > 0) for (const [name, words] of withPositional(variables, operands)) variables.set(name, words);
}

/** What `read`, `mapfile` and `printf -v` put into variables, as far as their input is known. */
function filledBy(command: SimpleCommand): readonly (readonly [string, readonly CommandWord[]])[] {
  const name = programName(command.argv[0]);
  const words = command.argv.slice(1);
  if (name === 'printf' && words[0]?.value === '-v') {
    const printed = likelyOutputOf([{ ...command, argv: [...command.argv.slice(0, 1), ...words.slice(2)] }]) ?? '';
    const kind = words.some((word) => word.kind === 'computed') ? 'computed' : 'resolved';
    return [[words[1]?.value ?? '', [{ ...literalWord(printed), kind, runs: words.flatMap((word) => word.runs) }]]];
  }
  if (!/^(?:read|mapfile|readarray)$/.test(name)) return [];
  const names = words.slice(skipOptions(words, 0, { letters: 'pdnNutisOcC' })).map((word) => word.value);
  const here = command.redirections.findLast((each) => each.body !== undefined);
  const redirected = command.redirections.flatMap((each) => (each.operator === '<' ? (each.target?.runs ?? []) : []));
  const runs = [...command.input.commands, ...redirected, ...(here?.target?.runs ?? [])];
  const text =
    (here?.body ?? (redirected.length > 0 ? likelyOutputOf(redirected) : command.input.text) ?? '').split('\n')[0] ??
    '';
  const pieces = text.trim().split(/\s+/);
  const kind = here && here.target?.kind !== 'computed' && here.target?.kind !== 'glob' ? 'resolved' : 'computed';
  return (names.length > 0 ? names : ['REPLY']).slice(0, 20).map((each, index) => {
    const value = index >= names.length - 1 ? pieces.slice(index).join(' ') : (pieces[index] ?? '');
    return [each, [{ ...literalWord(value), kind, runs }]] as const;
  });
}

/** The variables as a program sees them that is started with assignments before it. */
export function withAssignments(variables: Variables, assignments: readonly CommandAssignment[]): Variables {
  const result = new Map(variables);
  for (const { name, value } of assignments) result.set(name, elementsOf(value));
  return result;
}

/** The variables of a function or script that is called with these words. */
export function withPositional(variables: Variables, words: readonly CommandWord[], zeroth?: CommandWord): Variables {
  const result = new Map(variables).set('@', words).set('*', words);
  for (const [index, word] of words.slice(0, maxPositional).entries()) result.set(String(index + 1), [word]);
  return zeroth ? result.set('0', [zeroth]) : result;
}

/** The variables of a function body before anybody calls it. */
export function withoutPositional(variables: Variables): Variables {
  return new Map([...variables].filter(([name]) => !/^[@*\d]/.test(name)));
}

function elementsOf(value: CommandWord): readonly CommandWord[] {
  return value.elements ?? [value];
}
