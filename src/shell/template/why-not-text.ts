import type { SimpleCommand } from '../parse/simple-command.js';
import { runsInput } from '../parse/standard-input.js';
import { programName } from '../programs/command-words.js';
import { isPlainCode } from '../programs/plain-code.js';
import type { ArgumentKind } from '../programs/row.js';

/** Programs that treat each argument as plain text or a path, in addition to the read-only programs of the table. */
const textPrograms = new Set(
  (
    'cp gcp mv gmv ln gln rm grm rmdir unlink mkdir touch truncate tee chmod chown chgrp curl wget http https xh ' +
    'dig nslookup host gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd openssl gojq jaq yq zgrep'
  ).split(' '),
).add('git commit');
/** Read-only programs that decide which files the later programs of the line find or run. */
const directing = new Set(['cd', 'pushd', 'command']);
/** The roles that an argument may have for a program that treats arguments as text. */
const plainKinds = new Set<ArgumentKind>([
  ...(['text', 'path', 'readPath', 'writePath', 'editPath', 'intoPath', 'url', 'data'] as const),
]);
/**
 * The roles that an argument with limited values may have. Every other role counts as code, even with limited values.
 */
const limitedKinds = new Set<ArgumentKind>([...plainKinds, 'folder', 'config', 'variable', 'unknown']);

/**
 * Tests of a text. `given`: the text contains an argument. `free`: the text contains an argument whose values the
 * schema does not limit.
 */
export interface Holders {
  readonly given: (text: string) => boolean;
  readonly free: (text: string) => boolean;
}

/**
 * The reason why a command line may do more with an argument than treat it as text; undefined if the line only treats
 * it as text. An argument must not choose a program or be code. An argument whose values the schema does not limit is
 * allowed only for programs that are known to treat it as text.
 */
export function whyNotText(commands: readonly SimpleCommand[], holders: Holders): string | undefined {
  const functions = new Set(commands.flatMap((command) => command.functions));
  const writing = commands.filter((command) => writesArgument(command, holders));
  for (const command of commands) {
    const reason =
      whyNotTextIn(command, functions, holders) ??
      (writing.some((other) => other !== command) && !takesText(command)
        ? 'a file that an argument was written to may be run'
        : undefined);
    if (reason !== undefined) return `in ${JSON.stringify(command.text.slice(0, 80))} ${reason}`;
  }
  return undefined;
}

/** Whether a command writes an argument, or output that may contain one, to a file. */
function writesArgument(command: SimpleCommand, { free }: Holders): boolean {
  const { text, input, redirections } = command;
  if (!free(text) && !input.some((each) => free(each.text))) return false;
  const { values } = command.read;
  return (
    redirections.some(({ operator }) => operator.includes('>') && !operator.includes('&')) ||
    values.some(({ kind }) => kind === 'writePath' || kind === 'editPath' || kind === 'intoPath')
  );
}

/** Whether a program is known to treat all arguments and all input as text. */
function takesText(command: SimpleCommand): boolean {
  const { name, program, values, started, unknown } = command.read;
  // A program that is given by its path may be a different program of the same name.
  const isNamed = /^(?:(?:\/usr)?\/bin\/)?[^/]*$/.test(command.argv[0]?.value ?? '');
  if (program === undefined || !isNamed || started.length > 0 || unknown.length > 0) return false;
  if (!(program.traits.has('readOnly') || textPrograms.has(name)) || directing.has(name)) return false;
  return values.every(({ kind, word }) => (kind === 'code' ? isPlainCode(name, word.value) : plainKinds.has(kind)));
}

function whyNotTextIn(
  command: SimpleCommand,
  functions: ReadonlySet<string>,
  { given, free }: Holders,
): string | undefined {
  const { argv, input, text } = command;
  const { read } = command;
  const [program] = argv;
  if (runsInput(read) && input.some((each) => given(each.text)))
    return 'an argument would become the input of a program that runs its input';
  if (!takesText(command) && input.some((each) => free(each.text)))
    return 'an argument would become the input of a program that may run its input';
  if (program === undefined || !given(text)) return undefined;
  if (given(program.value) || given(program.text)) return 'an argument would choose the program';
  // The words of a started program are checked with that program.
  const inner = new Set(read.started.flatMap(({ words }) => words));
  const holding = argv.filter((word) => (given(word.value) || given(word.text)) && !inner.has(word));
  if (holding.length === 0) return undefined;
  const name = programName(program);
  if (program.kind === 'computed' || functions.has(name))
    return 'an argument would go to a program whose name is computed or redefined';
  const own = read.values.filter(({ word }) => given(word.value) || given(word.text));
  if (own.some(({ kind }) => !limitedKinds.has(kind))) return `an argument would be parsed as code by ${read.name}`;
  const format = name === 'printf' ? read.values.find(({ option }) => option === undefined) : undefined;
  const isEvaluated = read.program?.traits.has('evaluates') === true;
  if ((isEvaluated && own.some(({ option }) => option !== undefined)) || (format !== undefined && own.includes(format)))
    return `an argument would be evaluated by ${name}; put it after a literal format or operator`;
  if (!holding.some((word) => free(word.value) || free(word.text)) || (own.length > 0 && takesText(command)))
    return undefined;
  return (
    `${read.name} is not known to take every argument as text; limit the argument in parameters, by a type such as ` +
    'integer, an enum, or a string with a pattern from ^ to $'
  );
}
