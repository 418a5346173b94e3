import { argumentsOf } from '../shell/parse/arguments-of.js';
import { isShell, runsInput } from '../shell/parse/inner-commands.js';
import type { SimpleCommand } from '../shell/parse/simple-command.js';
import type { ArgumentKind } from '../shell/programs/program.js';
import { runsPrograms } from '../shell/programs/runs-programs.js';
import { programName } from '../shell/words/command-word.js';

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

/** Programs beside those that only read which take their input as mere text. */
const takesText = new Set(['tee', 'curl', 'wget', 'http', 'xh', 'gzip', 'openssl', 'logger', 'mail', 'sendmail']);

/**
 * Why a command line would have a shell or an interpreter read one of the words that are `given`, or have one choose
 * the program; undefined where each reaches its program as mere text.
 */
export function whyRead(commands: readonly SimpleCommand[], given: (text: string) => boolean): string | undefined {
  const functions = new Set(commands.flatMap((command) => command.functions));
  const keeping = commands.filter((command) => keepsGiven(command, given));
  for (const command of commands) {
    const reason =
      whyReadBy(command, functions, given) ??
      (keeping.some((other) => other !== command) && mayRunFiles(command)
        ? 'a file that an argument was written to may be run'
        : undefined) ??
      (given(command.text) && isShell(argumentsOf(command)) && commands.some((inner) => runsUnknown(inner, command))
        ? 'an argument may be read as code by an inner shell'
        : undefined);
    if (reason !== undefined) return `in ${JSON.stringify(command.text.slice(0, 80))} ${reason}`;
  }
  return undefined;
}

/** Whether a command writes what it was given, or what came out of a command that was, to a file. */
function keepsGiven(command: SimpleCommand, given: (text: string) => boolean): boolean {
  const { text, input, redirections } = command;
  if (!given(text) && !input.some((each) => given(each.text))) return false;
  const { values } = argumentsOf(command);
  return (
    redirections.some(({ operator }) => operator.includes('>') && !operator.includes('&')) ||
    values.some(({ kind }) => kind === 'writePath' || kind === 'editPath' || kind === 'intoPath')
  );
}

/** Whether a command may run what stands in a file; one that the table of programs does not know may. */
function mayRunFiles(command: SimpleCommand): boolean {
  const { program, values, started } = argumentsOf(command);
  if (program === undefined) return true;
  const kinds = [...program.operands, ...values.map(({ kind }) => kind)];
  return started.length > 0 || kinds.some((kind) => !plainKinds.has(kind));
}

/** Whether a command takes its input as mere text: a program that only reads, without code of its own that starts any. */
function takesInputAsText(command: SimpleCommand): boolean {
  const { name, program, values, started } = argumentsOf(command);
  if (program === undefined || started.length > 0 || program.traits.has('xargs')) return false;
  if (values.some(({ kind, word }) => kind === 'code' && runsPrograms(name, word.value))) return false;
  return program.traits.has('readOnly') || takesText.has(name) || /^(?:[gm]?awk|nawk|g?sed)$/.test(name);
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
  const takesGiven = input.some((each) => given(each.text));
  if (takesGiven && runsInput(read)) return 'an argument would come out as the input of a program that runs it';
  if (takesGiven && !takesInputAsText(command))
    return 'an argument would come out as the input of a program that may run it';
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
