import type { Arguments } from '../programs/arguments.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';

/** A variable that a command line sets, with its value. */
export interface SetVariable {
  readonly name: string;
  readonly value: CommandWord;
}

/** Variables that choose a language, a color, a level or a mode. Any other may make a program run, load or write more. */
const plainNames = new RegExp(
  `^(?:${[
    'CI|LANG|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|CARGO_TERM_COLOR|COLUMNS|LINES',
    '(?:NODE|APP|RAILS|RACK|MIX|FLASK)_ENV|DEBUG|VERBOSE|DRY_RUN|LOG_LEVEL|RUST_(?:BACKTRACE|LOG)|(?:NPM|npm)_(?:CONFIG|config)_(?:LOGLEVEL|loglevel)',
    'PORT|HOST|GOOS|GOARCH|CGO_ENABLED|CARGO_INCREMENTAL|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|HASHSEED)|SOURCE_DATE_EPOCH',
    'DEBIAN_FRONTEND|GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS)|PIP_DISABLE_PIP_VERSION_CHECK|DO_NOT_TRACK|NEXT_TELEMETRY_DISABLED',
  ].join('|')})$`,
);
/**
 * A word, a number or a list, which stays harmless if a shell or a makefile evaluates it again; no path to another
 * folder.
 */
const plainValue = /^(?!.*(?:^|[/:])\.\.?(?:\/|$))(?!\/)[\w.,:@%+*=/-]*$/;

/** Whether a variable with this value changes nothing that a program runs, loads or writes. */
export function isPlainVariable({ name, value }: SetVariable): boolean {
  return plainNames.test(name) && value.kind !== 'computed' && plainValue.test(value.value);
}

/**
 * The role of a variable whose value is known to be a command, and is judged as one. The role of all others that are
 * not plain is unknown.
 */
const commandNames =
  /^(?:.*(?:COMMAND|PAGER|EDITOR|ASKPASS|BROWSER|_RSH)|GIT_SSH|GIT_EXTERNAL_DIFF|GIT_CONFIG_VALUE_\d+|LESS(?:OPEN|CLOSE)|VISUAL)$/;

/** The shell command in a variable; undefined if the variable is not known to contain one. */
export function variableCommand({ name, value }: SetVariable): string | undefined {
  return commandNames.test(name) && value.value !== '' ? value.value.replace(/^\|/, '') : undefined;
}

/** The variable that a word sets (`env NAME=value`). */
export function variableOf(word: CommandWord): SetVariable {
  const [, name = '', value = word.value] = /^(\w+)\+?=(.*)/s.exec(word.value) ?? [];
  return { name, value: { ...word, value } };
}

/** The variables that are set for a command, or by it (`env NAME=value program`). */
export function setVariables(
  { assignments }: SimpleCommand,
  { values }: Arguments<CommandWord>,
): readonly SetVariable[] {
  return [...assignments, ...values.flatMap(({ kind, word }) => (kind === 'variable' ? variableOf(word) : []))];
}

const shellOnly = /^(?:declare|typeset|local|readonly|)$/;

/** The values of variables of unknown role, except those that the shell does not export. */
export function unknownVariables(command: SimpleCommand, read: Arguments<CommandWord>): readonly CommandWord[] {
  const isOwn = ({ name }: SetVariable) => shellOnly.test(read.name) && !/^[A-Z_][A-Z\d_]+$/.test(name);
  return setVariables(command, read).flatMap((each) => (isPlainVariable(each) || isOwn(each) ? [] : [each.value]));
}
