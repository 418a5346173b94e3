import type { Argument, Arguments } from '../programs/arguments.js';
import { addressProgram, settingProgram } from '../programs/executed-settings.js';
import { isPlainCode } from '../programs/plain-code.js';
import { passedWords, withPassedWords } from './passed-words.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';
import { inputOf, inputWords, printedWords, runsText } from './standard-input.js';

/**
 * Code that a command runs. `words`: another program and its words, which begin at index `at` of the command. `text`:
 * text for a shell. `unknown`: code that may have any effect; the word at index `at` contains or names the code.
 */
export type InnerCommand =
  | { readonly kind: 'words'; readonly words: readonly CommandWord[]; readonly at: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unknown'; readonly text: string; readonly at?: number };

type Read = Arguments<CommandWord>;

const address = /^[a-z][a-z\d+.-]+:/i;

/** All code that a command runs, according to the table of programs. */
export function innerCommands(command: SimpleCommand): readonly InnerCommand[] {
  const { read } = command;
  const started = read.started.map(({ words, at }) => {
    // A module may stand in the same word as its option (`-mpytest`).
    const isWritten = command.argv[at]?.value === words[0]?.value;
    return { kind: 'words', words: isWritten ? command.argv.slice(at, at + words.length) : words, at } as const;
  });
  // After an unknown option it is uncertain which word is the program.
  const isUncertain = started.some(({ at }) => at > 0) && read.unknown.some((word) => word.startsWith('-'));
  return [
    ...started,
    ...(isUncertain ? [unknown(command.text)] : []),
    ...joinedTexts(read),
    ...read.values.flatMap((value) => codeInArgument(read, value)),
    ...inputCode(command),
  ];
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

function codeInArgument(read: Read, { kind, word, option, at }: Argument<CommandWord>): readonly InnerCommand[] {
  const isComputed = word.kind === 'computed';
  const isJoined = option === undefined && read.program?.traits.has('joined') === true;
  if (kind === 'command' && !isJoined) {
    const named =
      option === '--checkpoint-action' ? /^exec=(.*)/s : read.name === 'alias' ? /^(?:[^=]*=)?(.*)/s : /(.*)/s;
    const text = named.exec(word.value)?.[1] ?? '';
    return text === '' && !isComputed ? [] : textOf(text, isComputed);
  }
  if (kind === 'code') return codeIn(read, word, false).map((code) => ({ ...code, at }));
  if (kind === 'codePath' && word.text.startsWith('<('))
    return printedWords(word.runs).flatMap((printed) => codeIn(read, printed, runsText(read)));
  // A URL in place of a file is remote code, or the code itself (`data:`).
  if (kind === 'codePath') return word.runs.length > 0 || address.test(word.value) ? [unknown(word.text)] : [];
  const isGitAddress = kind === 'url' && read.name.startsWith('git');
  if (kind !== 'config' && !isGitAddress) return [];
  const text = isGitAddress ? addressProgram(word.value) : settingProgram(read.name, word.value);
  return text === undefined ? [] : textOf(text, isComputed);
}

/** The code that a command reads from standard input and runs. */
function inputCode(command: SimpleCommand): readonly InnerCommand[] {
  const { read, functions, text } = command;
  const role = inputOf(read);
  if (role === 'data' || role === 'unknown') return [];
  const words = inputWords(command);
  // Commands in a function may read the standard input of the function call.
  const isOpen = words.length === 0 && functions.length > 0 && role !== 'commands';
  return isOpen ? [unknown(text)] : words.flatMap((word) => codeIn(read, word, role === 'shell'));
}

/** The code in a word: text for a shell, or code in the language of the program. */
function codeIn({ name }: Read, { kind, value, text }: CommandWord, isText: boolean): readonly InnerCommand[] {
  if (isText && value !== '') return textOf(value, kind === 'computed');
  return kind !== 'computed' && isPlainCode(name, value) ? [] : [unknown(text)];
}

/**
 * Substitutions in text that the shell evaluates. Any `$` in a subscript counts too, because the value of that variable
 * may contain the rest of a substitution.
 */
const substitution = /`|\$[({[]|\w\[[^\]]*\$/;
/**
 * Text in single quotes, and escaped `$` and backquotes. The shell runs code in them only if it evaluates the text
 * again.
 */
const quoted = /\$?'[^']*'|\\[`$]/g;

/** Whether a word of an evaluating builtin contains an expansion or a subscript. */
export function isEvaluable({ value }: CommandWord): boolean {
  return /[`$]|\w\[/.test(value);
}

/**
 * Whether the shell may evaluate quoted code in an expression. If a line has an expression, code in any text counts,
 * because a variable may pass the text to the expression.
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
  const { values } = command.read;
  const code = new Set(values.flatMap(({ kind, word }) => (kind === 'command' || kind === 'code' ? [word] : [])));
  return [
    ...command.argv.flatMap((word) => (code.has(word) ? [] : [word.value])),
    ...command.assignments.map(({ value }) => value.value),
    ...command.redirections.flatMap(({ target, body }) => body ?? target?.value ?? []),
  ];
}
