import type { ArgumentKind } from '../command/programs/program.js';
import { argumentsOf } from '../command/read/arguments-of.js';
import { isShell, runsInput } from '../command/read/inner-commands.js';
import type { SimpleCommand } from '../command/read/simple-command.js';
import { programName } from '../command/words/command-word.js';

/** Builtin commands of shells that take names, code or settings of the shell itself, not mere text. */
const ofTheShell = new Set(
  (
    '. source alias bg bind break caller compgen complete compopt continue declare dirs disown enable exit export fc fg ' +
    'getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set shift shopt ' +
    'suspend times trap type typeset ulimit umask unalias unset wait'
  ).split(' '),
);
/** With these, `test` and `printf` take the name of a variable, in which an index is evaluated. */
const takesName = /^-[vR]/;
/** What an argument may be to a program that the table knows: text, or a name that is no code. */
const plainKinds = new Set<ArgumentKind>([
  'text',
  'path',
  'readPath',
  'writePath',
  'editPath',
  'intoPath',
  'folder',
  'url',
  'data',
  'variable',
]);

/**
 * Why a command line would have a shell or an interpreter read one of the words that are `given`, or have one choose
 * the program; undefined where each reaches its program as mere text.
 */
export function whyRead(commands: readonly SimpleCommand[], given: (text: string) => boolean): string | undefined {
  const functions = new Set(commands.flatMap((command) => command.functions));
  for (const command of commands) {
    const reason =
      whyReadBy(command, functions, given) ??
      (given(command.text) && isShell(argumentsOf(command)) && commands.some((inner) => runsUnknown(inner, command))
        ? 'an argument may be read as code by an inner shell'
        : undefined);
    if (reason !== undefined) return `in ${JSON.stringify(command.text.slice(0, 80))} ${reason}`;
  }
  return undefined;
}

/** Whether a shell runs a command that only its arguments tell. */
function runsUnknown({ argv, wrapper }: SimpleCommand, shell: SimpleCommand): boolean {
  let outer = wrapper;
  while (outer !== undefined && outer !== shell) outer = outer.wrapper;
  return outer === shell && argv[0]?.kind === 'computed';
}

function whyReadBy(
  command: SimpleCommand,
  functions: ReadonlySet<string>,
  given: (text: string) => boolean,
): string | undefined {
  const { argv, wrapper, at, input, text } = command;
  const [program, ...rest] = argv;
  const read = argumentsOf(command);
  if (runsInput(read) && input.some((each) => given(each.text)))
    return 'an argument would come out as the input of a program that runs it';
  if (!given(text)) return undefined;
  if (wrapper !== undefined && at === undefined) return 'an argument would be read as code by an inner shell';
  const holders = argv.filter(({ value, text }) => given(value) || given(text));
  if (holders.length === 0) return undefined;
  if (program === undefined || holders.includes(program)) return 'an argument would choose the program';
  const name = programName(program);
  if (program.kind === 'computed' || functions.has(name))
    return 'an argument would go to a program that is not named as it stands there';
  if (ofTheShell.has(name)) return `an argument would be read by the shell itself; ${name} takes none`;
  const isName = /^(?:test|\[|printf)$/.test(name) && rest.some(({ value }) => takesName.test(value));
  const format = name === 'printf' ? rest.find(({ value }) => value !== '--') : undefined;
  if (isName || (format !== undefined && holders.includes(format)))
    return `an argument would be read by ${name}; put it behind a format or a comparison of your own`;
  if (read.program === undefined) return undefined;
  const code = read.values.find(({ kind, word }) => !plainKinds.has(kind) && (given(word.value) || given(word.text)));
  if (code !== undefined) return `an argument would be read as code or as a setting by ${read.name}`;
  const variable = read.values.find(({ kind, word }) => kind === 'variable' && given(word.value.replace(/=.*/s, '')));
  return variable && 'an argument would choose the variable that is set';
}
