import type { Argument, Arguments } from '../programs/arguments.js';
import { runsPrograms } from '../programs/runs-programs.js';
import { addressProgram, settingProgram } from '../programs/setting-program.js';
import { isFollowing, passedWords, withPassedWords } from './arguments-of.js';
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
export function runsItsInput(read: Read): boolean {
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
