import type { Argument, Arguments } from '../programs/arguments.js';
import { computedWord } from '../programs/command-words.js';
import { isPlainCode } from '../programs/plain-code.js';
import { isFollowing } from './passed-words.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';

type Read = Arguments<CommandWord>;

/**
 * What a program does with its standard input. `data`: runs none of the input, or passes the input to a program that it
 * starts. `shell`: runs the input as text for a shell. `code`: runs the input as code in another language. `commands`:
 * accepts commands that may start programs (`psql`). `unknown`: any of these.
 */
export type StandardInput = 'data' | 'shell' | 'code' | 'commands' | 'unknown';

/** Programs that read their standard input as data, in addition to programs with the trait `readsData`. */
const dataReaders =
  /^(?:gh|glab|hub|pbcopy|xclip|xsel|wl-copy|clip|pv|ts|fzf|fold|fmt|expand|jless|glow|bc|gofmt|goimports|rustfmt|black|ruff|isort|shfmt|clang-format|terraform|sha\d+sum|b3sum|cksum|sum|gpg|age|jo|csvlook|xmllint|tidy|hexyl|xxhsum|json\.tool)(?: |$)/;

/** What a call does with its standard input. */
export function inputOf(read: Read): StandardInput {
  const { name, program, values, effects, started, unknown } = read;
  if (dataReaders.test(name)) return 'data';
  if (program === undefined) return 'unknown';
  const { traits, operands } = program;
  if (traits.has('takesCommands')) return 'commands';
  if (effects.has('onlyShows') || effects.has('textFollows') || started.length > 0 || traits.has('xargs'))
    return 'data';
  const isNamed = values.some(({ kind, word }) => kind === 'codePath' && isStandardInput(word.value));
  const mayRun = traits.has('runsInput') || operands[0] === 'codePath';
  if (effects.has('runsInput') || isNamed || (mayRun && !values.some(isScript)))
    return runsText(read) ? 'shell' : 'code';
  // Many of these programs start a shell if the call names no program to start.
  const isOpen = operands.includes('program') && !traits.has('readsData');
  if (isOpen) return 'commands';
  if (values.some(({ kind, word }) => kind === 'code' && !isPlainCode(name, word.value))) return 'unknown';
  return (traits.has('readsData') && unknown.length === 0) || values.some(({ kind }) => kind === 'command')
    ? 'data'
    : 'unknown';
}

/** Whether a call runs its standard input as code. */
export function runsInput(read: Read): boolean {
  return /^(?:shell|code)$/.test(inputOf(read));
}

/**
 * Whether an argument is the code that a shell or interpreter runs. Options such as `-M` load files in addition to that
 * code.
 */
function isScript({ kind, option = '-f', word }: Argument<CommandWord>): boolean {
  const isCode =
    kind === 'code' ? !/^-[mMF]$/.test(option) : kind === 'command' || (kind === 'codePath' && option === '-f');
  return isCode && !isFollowing(word);
}

export function isShell({ program }: Read): boolean {
  return program?.options.get('-c')?.effects.includes('firstIsCommand') === true;
}

/** Whether the code of a program is text for a shell. */
export function runsText(read: Read): boolean {
  return isShell(read) || read.effects.has('runsInput') || read.program?.traits.has('runsInput') === true;
}

/** Whether a path names the standard input or another open file of a process. */
function isStandardInput(value: string): boolean {
  return value === '-' || /^\/(?:dev\/stdin|dev\/fd\/\d+|proc\/(?:self|\$\$|\d+)\/fd\/\d+)$/.test(value);
}

/** The standard input that a command gets from the line. Input that is known only at run time is a computed word. */
export function inputWords({ redirections, input, passed, text }: SimpleCommand): readonly CommandWord[] {
  const isOwn = redirections.some(({ operator, descriptor = 0 }) => operator.startsWith('<') && descriptor === 0);
  const piped = passed?.isPath === false ? [computedWord(text)] : printedWords(input);
  return [...redirections.flatMap(redirectedText), ...(isOwn ? [] : piped)];
}

/** The standard input that a command may run, except text for a shell, which is parsed elsewhere. */
export function typedWords(command: SimpleCommand): readonly CommandWord[] {
  const { argv, passed, wrapper, read } = command;
  // A program that `xargs` starts gets words from the input, but not the input itself.
  const isTaken =
    passed?.isPath === false && !wrapper?.read.options.has('-a') && !wrapper?.read.options.has('--arg-file');
  if (argv.length === 0 || isTaken || /^(?:data|shell)$/.test(inputOf(read))) return [];
  // A script may do anything already, so input that is known only at run time adds nothing.
  const { program } = argv[0]?.kind === 'computed' && wrapper ? wrapper.read : read;
  const isKnown = program?.operands[0] === 'codePath';
  return inputWords(command).filter(({ kind }) => !isKnown || kind !== 'computed');
}

function redirectedText({ operator, target, body }: SimpleCommand['redirections'][number]): readonly CommandWord[] {
  if (target === undefined || !operator.startsWith('<') || /^(?:\/dev\/null|-)$/.test(target.value)) return [];
  return [body === undefined ? computedWord(target.text) : { ...target, value: body }];
}

/**
 * The output of commands as words. If there are several commands, each may write only a part of the text, so all words
 * are computed words.
 */
export function printedWords(commands: readonly SimpleCommand[]): readonly CommandWord[] {
  return commands.flatMap((command) => {
    if (command.argv.length === 0 && command.redirections.length > 0)
      return command.redirections.flatMap(redirectedText);
    const value = commands.length === 1 ? printedText(command) : undefined;
    const word = computedWord(command.text);
    return [value === undefined ? word : { ...word, value, kind: 'literal' }];
  });
}

/**
 * The output of `echo`, `yes` and `printf`; undefined if the output is known only at run time or depends on escapes.
 */
function printedText({ name, argv, words, passed }: SimpleCommand): string | undefined {
  const [format = '', ...values] = words;
  if (passed !== undefined || argv.some(({ kind }) => kind === 'computed')) return undefined;
  if (name === 'echo' || name === 'yes') {
    const text = words.join(' ').replace(/^(?:-[neE]+ )+/, '');
    return text.includes('\\') ? undefined : `${text}\n`;
  }
  if (name !== 'printf' || /^-|%(?!s)|\\(?!n)/.test(format)) return undefined;
  const each = format.replaceAll('\\n', '\n');
  let printed = each.replaceAll('%s', () => values.shift() ?? '');
  while (values.length > 0 && each.includes('%s')) printed += each.replaceAll('%s', () => values.shift() ?? '');
  return printed;
}
