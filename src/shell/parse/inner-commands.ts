import type { Argument, Arguments } from '../programs/arguments.js';
import { runsPrograms } from '../programs/runs-programs.js';
import { addressProgram, settingProgram } from '../programs/setting-program.js';
import { computedWord, programName } from '../programs/words.js';
import { argumentsOf, isFollowing, passedWords, withPassedWords } from './arguments-of.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';

/**
 * Code that a command runs: another program with its words, which begin at `at`; text for a shell; or code that is only
 * known at run time.
 */
export type InnerCommand =
  | { readonly kind: 'words'; readonly words: readonly CommandWord[]; readonly at: number }
  | { readonly kind: 'text' | 'unknown'; readonly text: string };

type Read = Arguments<CommandWord>;

const address = /^[a-z][a-z\d+.-]+:/i;

/** Programs with known commands for starting other programs. */
const database = /^(?:sqlite3|psql|mysql|mariadb)$/;

/** All code that a command runs, by the table of programs. */
export function innerCommands(command: SimpleCommand, read: Read): readonly InnerCommand[] {
  const started = read.started.map(({ words, at }) => {
    const written = at === 0 ? [] : command.argv.slice(at, at + words.length);
    return { kind: 'words', words: written.length > 0 ? written : words, at } as const;
  });
  // After an unknown option it is uncertain which word is the program.
  const isUncertain = started.some(({ at }) => at > 0) && read.unknown.some((word) => word.startsWith('-'));
  return [
    ...started,
    ...(isUncertain ? [unknown(command.text)] : []),
    ...joinedTexts(read),
    ...read.values.flatMap((value) => handedOn(read, value)),
    ...inputTexts(command, read),
  ];
}

/** Whether a command runs its standard input. */
export function runsInput({ values, effects, program, started }: Read): boolean {
  if (program === undefined || effects.has('onlyShows') || started.length > 0) return false;
  if (effects.has('runsInput')) return true;
  if (values.some(({ kind, word }) => kind === 'codePath' && isStandardInput(word.value))) return true;
  // Other options load files besides the code.
  const isCode = ({ kind, option = '-f' }: Argument) =>
    (kind === 'code' && !/^-[mMF]$/.test(option)) || kind === 'command' || (kind === 'codePath' && option === '-f');
  const isGiven = values.some((value) => isCode(value) && !isFollowing(value.word));
  const mayRead = program.traits.has('runsInput') || program.operands[0] === 'codePath';
  return mayRead && !effects.has('firstIsCommand') && !isGiven;
}

/** Whether a program runs code of its own language from its standard input. */
export function takesCode(read: Read): boolean {
  const isShellText = isShell(read) || read.program?.traits.has('runsInput') === true;
  return !isShellText && (takesCommands(read) || runsInput(read));
}

/** Whether a command runs its standard input, or starts a program that does. */
function runsItsInput(read: Read): boolean {
  return runsInput(read) || takesCommands(read) || startsShell(read) || read.name === 'exec';
}

/** Whether commands that are typed into a program may start others. */
function takesCommands({ program }: Read): boolean {
  return program?.traits.has('takesCommands') === true;
}

/** Whether a program that starts others is given none: many of them (`sudo -s`, `chroot /`) then start a shell. */
function startsShell({ name, program, effects, started }: Read): boolean {
  if (program === undefined || started.length > 0 || name === 'exec' || program.traits.has('xargs')) return false;
  if (effects.has('onlyShows') || effects.has('textFollows')) return false;
  return program.operands.includes('program') || /^(?:script|newgrp|nix-shell)$/.test(name);
}

/** Whether the program is a shell. */
export function isShell({ program }: Read): boolean {
  return program?.options.get('-c')?.effects.includes('firstIsCommand') === true;
}

/** Whether a path names the standard input, or a file that the shell opens for the command. */
function isStandardInput(value: string): boolean {
  return value === '-' || /^\/(?:dev\/stdin|dev\/fd\/\d+|proc\/(?:self|\$\$|\d+)\/fd\/\d+)$/.test(value);
}

function unknown(text: string): InnerCommand {
  return { kind: 'unknown', text };
}

function joinedTexts(read: Read): readonly InnerCommand[] {
  const { name, program, values } = read;
  if (program?.traits.has('joined') !== true) return [];
  const passed = passedWords(read);
  const words = values.filter(({ kind, option }) => kind === 'command' && option === undefined).map(({ word }) => word);
  if (words.length === 0 && passed === undefined) return [];
  const end = passed !== undefined ? words.findIndex(({ value }) => /^:{3,}/.test(value)) : -1;
  const joined = (end === -1 ? words : words.slice(0, end)).map(({ value }) => value).join(' ');
  const text = passed === undefined ? joined : withPassedWords(joined, passed);
  const isWindows = /^(?:cmd|powershell|pwsh)$/.test(name);
  const inner = isWindows ? /(?:^|\s)(?:-c\w*|\/c)\s+(.*)/is.exec(text)?.[1] : text;
  if (inner === undefined || inner.trim() === '') return [unknown(words.map((word) => word.text).join(' '))];
  return textOf(
    inner,
    words.some(({ kind }) => kind === 'computed'),
  );
}

function textOf(text: string, isComputed: boolean): readonly InnerCommand[] {
  return [{ kind: 'text', text }, ...(isComputed ? [unknown(text)] : [])];
}

function handedOn(read: Read, { kind, word, option }: Argument<CommandWord>): readonly InnerCommand[] {
  const isComputed = word.kind === 'computed';
  const isJoined = option === undefined && read.program?.traits.has('joined') === true;
  if (kind === 'command' && !isJoined) {
    const text = option === '--checkpoint-action' ? (/^exec=(.*)/s.exec(word.value)?.[1] ?? '') : word.value;
    return text === '' && !isComputed ? [] : textOf(text, isComputed);
  }
  if (kind === 'code') return isComputed || runsPrograms(read.name, word.value) ? [unknown(word.text)] : [];
  // A URL in place of a file is remote code, or the code itself (`data:`).
  if (kind === 'codePath') return word.runs.length > 0 || address.test(word.value) ? [unknown(word.text)] : [];
  const isGitAddress = kind === 'url' && read.name.startsWith('git');
  if (kind !== 'config' && !isGitAddress) return [];
  const text = isGitAddress ? addressProgram(word.value) : settingProgram(read.name, word.value);
  return text === undefined ? [] : textOf(text, isComputed);
}

/** The code that a shell or interpreter reads on standard input. */
function inputTexts(command: SimpleCommand, read: Read): readonly InnerCommand[] {
  const isTyped = takesCommands(read) || startsShell(read);
  if (!isTyped && !runsInput(read)) return [];
  const isRead = command.input.length > 0 || command.redirections.some(({ operator }) => operator.startsWith('<'));
  const isShellText = isShell(read) || read.program?.traits.has('runsInput') === true;
  const texts = command.redirections.flatMap(({ body, target }): readonly InnerCommand[] => {
    if (body === undefined) return [];
    const isComputed = target?.kind === 'computed';
    if (isShellText) return textOf(body, isComputed);
    const isPlain = !isComputed && (!isTyped || database.test(read.name)) && !runsPrograms(read.name, body);
    return isPlain ? [] : [unknown(command.text)];
  });
  const isWritten = command.redirections.some(({ body }) => body !== undefined);
  // A function may get its input at its call.
  const isOpen = !isWritten && (isRead || (command.functions.length > 0 && !isTyped));
  return isOpen ? [unknown(command.text)] : texts;
}

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

/** Programs that read their standard input as data, besides those of the table. */
const dataReaders =
  /^(?:gh|glab|hub|pbcopy|xclip|xsel|wl-copy|clip|pv|ts|fzf|column|fold|fmt|expand|jless|glow|bc|gofmt|goimports|rustfmt|black|ruff|isort|shfmt|clang-format|terraform|sha\d+sum|b3sum|cksum|sum|gpg|age|jo|csvlook|xmllint|tidy|hexyl|xxhsum|json\.tool)$/;

/**
 * The standard input that a line writes for a program that may run it, since the program is not known to read it as
 * data: texts, and a computed word for text that is known only at run time. Input that certainly runs is parsed as code
 * elsewhere.
 */
export function typedWords(command: SimpleCommand): readonly CommandWord[] {
  const { program } = argumentsOf(command);
  // A program that gets words from an input (`xargs`) does not get the input itself.
  const isTaken = command.passed?.isPath === false && !getsWordsFromFile(command.wrapper);
  if (command.argv.length === 0 || isTaken || readsData(command)) return [];
  const isOwn = command.redirections.some(({ operator }) => /^<(?!&)/.test(operator));
  const texts = isOwn ? redirectedTexts(command) : printed(command.input);
  // A script is unknown anyway, so computed input adds nothing.
  return program?.operands[0] === 'codePath' ? texts.filter(({ kind }) => kind !== 'computed') : texts;
}

function getsWordsFromFile(wrapper: SimpleCommand | undefined): boolean {
  return (
    wrapper !== undefined && argumentsOf(wrapper).values.some(({ option }) => /^-(?:a|-arg-file)$/.test(option ?? ''))
  );
}

function readsData(command: SimpleCommand): boolean {
  const read = argumentsOf(command);
  const { program, values, started } = read;
  if (dataReaders.test(programName(command.argv[0]))) return true;
  if (program === undefined) return false;
  const isJudged = started.length > 0 || values.some(({ kind }) => kind === 'code' || kind === 'command');
  return isJudged || program.traits.has('readsData') || program.traits.has('xargs') || runsItsInput(read);
}

/** The input texts in the redirections of a command. */
function redirectedTexts({ redirections }: SimpleCommand): readonly CommandWord[] {
  return redirections.flatMap(({ operator, target, body }) => {
    if (target === undefined || !/^<(?!&)/.test(operator) || target.value === '/dev/null') return [];
    return body === undefined ? [computedWord(target.text)] : [{ ...target, value: body }];
  });
}

/** The texts that commands write into a pipe; computed words for text that is known only at run time. */
function printed(commands: readonly SimpleCommand[]): readonly CommandWord[] {
  return commands.flatMap((command) => {
    const [program, ...words] = command.argv;
    if (program === undefined && command.redirections.length > 0) return redirectedTexts(command);
    const value = words.map((word) => word.value).join(' ');
    // Several commands may each write a part of the same word, and escapes may become other characters.
    const isKnown = commands.length === 1 && /^(?:echo|yes)$/.test(programName(program)) && !value.includes('\\');
    if (!isKnown || words.some(({ kind }) => kind === 'computed')) return [computedWord(command.text)];
    return [{ text: command.text, value: `${value}\n`, kind: 'literal', runs: [] }];
  });
}
