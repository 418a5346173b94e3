import type { Argument } from '../programs/arguments.js';
import type { CommandAssignment, CommandWord, SimpleCommand } from './simple-command.js';

/**
 * Variables that choose a language, a color, a level or a mode. Any other variable may make a program run, load or
 * write something else.
 */
const plainNames =
  /^(?:CI|LANG|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|CARGO_TERM_COLOR|COLUMNS|LINES|(?:NODE|APP|RAILS|RACK|MIX|FLASK)_ENV|DEBUG|VERBOSE|DRY_RUN|LOG_LEVEL|RUST_(?:BACKTRACE|LOG)|NPM_CONFIG_LOGLEVEL|npm_config_loglevel|PORT|HOST|GOOS|GOARCH|CGO_ENABLED|CARGO_INCREMENTAL|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|HASHSEED)|SOURCE_DATE_EPOCH|DEBIAN_FRONTEND|GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS)|PIP_DISABLE_PIP_VERSION_CHECK|DO_NOT_TRACK|NEXT_TELEMETRY_DISABLED)$/;
/**
 * A word, a number or a list that does not begin with `/` and has no path segment `.` or `..`. Such a value is harmless
 * even if a makefile evaluates it again.
 */
const plainValue = /^(?!.*(?:^|[/:])\.\.?(?:\/|$))(?!\/)[\w.,:@%+*=/-]*$/;
/** Variables whose value is known to be a command. The role of all other variables outside `plainNames` is unknown. */
const commandNames =
  /^(?:.*(?:COMMAND|PAGER|EDITOR|ASKPASS|BROWSER|_RSH)|GIT_SSH|GIT_EXTERNAL_DIFF|GIT_CONFIG_VALUE_\d+|LESS(?:OPEN|CLOSE)|VISUAL)$/;
/** Builtins whose variables the shell does not export. The empty name stands for a bare assignment. */
const shellOnly = /^(?:declare|typeset|local|readonly|)$/;

/** Variables with names in capital letters (`PATH`, `HOME`, `GIT_DIR`) may change what programs do. */
export const influentialVariable = /^[A-Z_][A-Z\d_]+$/;

/** Whether a variable with this value cannot change what a program runs, loads or writes. */
export function isPlainVariable({ name, value }: CommandAssignment): boolean {
  return plainNames.test(name) && value.kind !== 'computed' && plainValue.test(value.value);
}

/** The shell command in a variable; undefined if the variable is not known to contain a command. */
export function variableCommand({ name, value }: CommandAssignment): string | undefined {
  return commandNames.test(name) && value.value !== '' ? value.value.replace(/^\|/, '') : undefined;
}

/** The variable that a word sets (`env NAME=value`, `make NAME=value`). */
export function variableOf(word: CommandWord): CommandAssignment {
  const [, name = '', value = word.value] = /^(\w+)[:?+]*=(.*)/s.exec(word.value) ?? [];
  return { name, value: { ...word, value } };
}

/** The variables that are set for a command or by the command. */
export function setVariables({ assignments, read }: SimpleCommand): readonly CommandAssignment[] {
  const isSet = ({ kind, word, option }: Argument<CommandWord>) =>
    kind === 'variable' || (kind === 'config' && option === undefined && /^\w+[:?+]*=/.test(word.value));
  return [...assignments, ...read.values.filter(isSet).map(({ word }) => variableOf(word))];
}

/**
 * The values of variables that may change what a program runs, loads or writes. Variables in lower case that the shell
 * does not export are omitted.
 */
export function unknownVariables(command: SimpleCommand): readonly CommandWord[] {
  const isOwn = (name: string) => shellOnly.test(command.read.name) && !influentialVariable.test(name);
  return setVariables(command).flatMap((each) => (isPlainVariable(each) || isOwn(each.name) ? [] : [each.value]));
}
