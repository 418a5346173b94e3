import { isSecretPath } from '../../core/text/sensitive-paths.js';
import type { CommandRedirection, CommandWord, SimpleCommand } from '../parse/simple-command.js';
import { isPlainVariable } from '../parse/variable-roles.js';
import type { Arguments } from '../programs/arguments.js';
import { namedPaths } from '../programs/command-words.js';
import { settingProgram } from '../programs/executed-settings.js';
import { isPlainCode } from '../programs/plain-code.js';
import type { Effect, Program } from '../programs/row.js';

const maxFolders = 8;
/** A word that is only a process substitution: the path of a pipe. Its commands are assessed separately. */
const processSubstitution = /^<\([^()]*\)$/;

/** Builtins for which every word is text. */
const printers = /^(?:echo|exit|return)$/;
/**
 * A word whose expansions are assumed to show no secret of the environment: parameters of the shell, variables whose
 * names have only lower-case letters and digits, which programs rarely export, and arithmetic with numbers.
 */
const plainExpansions =
  /^(?:[^$`]|\$(?:[?#!\d]|HOME\b|PWD\b|[a-z][a-z\d]*\b|\{[a-z][a-z\d]*\}|\(\([\d\s+*/%-]+\)\)))+$/;

/** Facts of the host about the paths that a command reads. */
export interface PathKnowledge {
  /** Whether a path, absolute or relative, may be read without asking. */
  readonly isInside: (path: string) => boolean;
  /** Whether a folder and everything below it, or every match of a pattern, contains no secrets. */
  readonly holdsNoSecrets: (pathOrPattern: string) => boolean;
  /**
   * Whether git in a folder works on the repository of the workspace and runs no program that this repository names.
   */
  readonly isOwnRepository: (folder: string) => boolean;
  /** Whether the host can look at the files of the workspace. If not, a path is judged by its name. */
  readonly isWorkspaceKnown: boolean;
  /** The folders that a line changes to, in order. */
  readonly entered: readonly string[];
  /** The functions that a line defines. */
  readonly functions: ReadonlySet<string>;
}

/** The reason why a command is not known to be read-only; undefined if it is read-only. */
export function doubtReadOnly(command: SimpleCommand, known: PathKnowledge): string | undefined {
  const program = command.argv[0];
  if (!program || (program.value === '' && program.kind === 'literal')) return 'it sets variables or redirects a group';
  const isPrinted = printers.test(program.value) && program.kind === 'literal';
  const isOpen = ({ kind, text }: CommandWord) =>
    !(isPrinted && plainExpansions.test(text)) &&
    (kind === 'resolved' || (kind === 'computed' && !processSubstitution.test(text)));
  if (command.argv.some(isOpen) || program.kind !== 'literal') return 'it is only known at run time';
  if (command.forked || (command.background && command.functions.length > 0))
    return 'it may be started repeatedly in the background';
  if (known.functions.has(program.value)) return `${program.value} is a function of this line`;
  const shell = doubtSurroundings(command);
  if (shell !== undefined) return shell;
  const mayBecomeOption = ({ kind, value }: CommandWord) =>
    kind === 'glob' &&
    /^[*?[-]/.test(value) &&
    !/^--[\w-]+=/.test(value) &&
    (value.startsWith('-') || !known.isWorkspaceKnown || !known.holdsNoSecrets('-*'));
  if (command.argv.some(mayBecomeOption)) return 'a pattern may expand to an option';
  const sources = command.redirections.filter((each) => each.operator === '<').flatMap((each) => each.target ?? []);
  const named = sources.filter((word) => word.value !== '/dev/null');
  return doubtPaths(named, known, true) ?? doubtProgram(command, command.read, known);
}

/** The reason why the variables or redirections of a command may do more than read; undefined if they are read-only. */
export function doubtSurroundings(command: SimpleCommand): string | undefined {
  const isDeclared = /^(?:declare|typeset|local|readonly)$/.test(command.argv[0]?.value ?? '');
  const variable = command.assignments.find(
    ({ name, value }) =>
      !(isDeclared && /^[a-z][a-z\d]*$/.test(name) && value.kind === 'literal') && !isPlainVariable({ name, value }),
  );
  if (variable) return `it sets ${variable.name}`;
  const redirection = command.redirections.find((each) => !isHarmless(each));
  return redirection && `it redirects to ${redirection.target?.text ?? 'a file'}`;
}

function isHarmless({ operator, target, body }: CommandRedirection): boolean {
  if (!target || target.kind === 'computed' || target.kind === 'resolved') return false;
  if (body !== undefined) return true;
  if (operator === '<') return !/^\/(?:dev|proc)\//.test(target.value) || target.value === '/dev/null';
  if (operator === '>&' || operator === '<&') return /^(?:\d+-?|-)$/.test(target.value);
  return target.value === '/dev/null' && operator !== '<>';
}

type Read = Arguments<CommandWord>;

function doubtProgram(command: SimpleCommand, read: Read, known: PathKnowledge): string | undefined {
  const { name, program, values, options, unknown, started, effects } = read;
  const words = command.argv.slice(1);
  if (command.argv[0]?.value !== name.split(' ')[0]) return `${command.argv[0]?.text} is not known to only read`;
  if (program !== undefined && words.length === 1 && asksOnly(name, program, words[0]?.value ?? '')) return undefined;
  if (!program?.traits.has('readOnly')) return `${name} is not known to be read-only`;
  if (command.passed !== undefined) return 'it gets more words at run time';
  // A program in the place of an operand is judged as a command of its own.
  const inOption = program.operands.includes('program') ? undefined : started[0]?.words[0]?.value;
  const more = unknown[0] ?? inOption ?? values.find((each) => !isReadOnlyUse(name, each))?.word.value;
  if (more !== undefined) return `${name} ${more} may do more than read`;
  const isAlone = program.traits.has('readsAlone') && !effects.has('onlyShows');
  const isWith = isAlone && values.some(({ option }) => option === undefined);
  const acts = ['edits', 'changes', 'runsInput', 'firstIsCommand'].some((effect) => effects.has(effect as Effect));
  if (
    acts ||
    isWith ||
    values.some(({ word }) => program.unless?.test(word.value)) ||
    (program.traits.has('setting') && values.length > 1) ||
    (name === 'cd' && values.length === 0) ||
    (name === 'set' && options.size === 0)
  )
    return `${name} may do more than read with these words`;
  const chosen = values.filter(({ kind }) => kind === 'folder').map(({ word }) => word.value);
  const isFound = chosen.length === 0 || (chosen.length === 1 && known.entered.length === 0);
  const isOwn = isFound && ['.', ...known.entered, ...chosen].every((folder) => known.isOwnRepository(folder));
  if (name.startsWith('git ') && !isOwn) return 'git may run unknown programs here';
  return doubtOperands(read, known);
}

function isReadOnlyUse(name: string, { kind, word, option }: Read['values'][number]): boolean {
  if (kind === 'code') return isPlainCode(name, word.value);
  if (kind === 'config')
    return (
      settingProgram(name, word.value) === undefined ||
      (option === undefined && /^remote\.[\w-]+\.(?:push)?url$/.test(word.value))
    );
  return /^(?:text|path|readPath|folder)$/.test(kind);
}

/** Whether the only word of a call asks for a version or for help. */
function asksOnly(name: string, { traits }: Program, word: string): boolean {
  return (
    traits.has('readOnly') && !traits.has('literal') && !name.startsWith('git ') && /^--(?:help|version)$/.test(word)
  );
}

function doubtOperands(read: Read, known: PathKnowledge): string | undefined {
  const { name, program, values, effects } = read;
  const shown = values.filter(({ kind }) => kind === 'readPath').map(({ word }) => word);
  const names = values.filter(({ kind }) => /^(?:path|folder)$/.test(kind)).map(({ word }) => word);
  const doubt = doubtPaths(shown, known, true) ?? doubtPaths(names, known, false);
  if (doubt !== undefined) return doubt;
  const operands = values
    .filter(({ kind, option }) => option === undefined && kind === 'readPath')
    .map(({ word }) => word);
  // Git in the repository of the workspace shows only tracked files.
  const isFolders = program?.traits.has('readsFolders') === true && !name.startsWith('git ');
  const isOpen = isFolders && operands.some(({ value }) => value === '.' || value.endsWith('/'));
  if (effects.has('recursive') || isOpen) {
    const isShallow = program?.traits.has('skipsHidden') === true && !readsHidden(read);
    const folders = operands.length > 0 ? operands : [{ value: '.' }];
    return doubtFolders(isShallow ? folders.map(({ value }) => ({ value: shownIn(value) })) : folders, known);
  }
  return isFolders && known.isWorkspaceKnown
    ? doubtFolders(
        operands.filter(({ value }) => !/^-?$/.test(value)),
        known,
      )
    : undefined;
}

function doubtPaths(words: readonly CommandWord[], known: PathKnowledge, shown: boolean): string | undefined {
  for (const { value, kind } of words) {
    if (value === '-' || value === '') continue;
    if (mayBeSecret(value, known)) return `${value} may contain secrets`;
    if (kind === 'glob' && shown && !known.holdsNoSecrets(value)) return `${value} may stand for a file with secrets`;
    if (!known.isInside(value)) return `${value} may be outside the working folder`;
  }
  return undefined;
}

/** Whether a word may name a file with secrets, in the start folder or in a folder that the line changes to. */
function mayBeSecret(path: string, { entered }: PathKnowledge): boolean {
  const first = entered.slice(0, maxFolders);
  const folders = [...first, ...first.map((_, index) => first.slice(0, index + 1).join('/'))];
  return (
    namedPaths(path)?.every(
      (each) => !isSecretPath(each) && folders.every((folder) => !isSecretPath(`${folder}/${each}`)),
    ) !== true
  );
}

/** Values of options that select only source files or exclude files. Source files count as free of secrets. */
const sources =
  /^!|^(?:[\w*-]+\/)*(?:\*\.)?\{?(?:(?:[cm]?[jt]sx?|py|go|rs|rust|java|kt|rb|php|c|cpp|cc|h|hpp|cs|css|scss|html|md|vue|svelte),?)+\}?$/;

/** Whether options make a program also read hidden files. */
export function readsHidden({ program, options, values }: Read): boolean {
  return [...options].some((name) => {
    const chosen = values.filter(({ option }) => option === name);
    const isSource = chosen.length > 0 && chosen.every(({ word }) => sources.test(word.value));
    return program?.options.get(name)?.effects.includes('readsHidden') === true && !isSource;
  });
}

/** A pattern for the visible files of a folder; a pattern is returned unchanged. */
function shownIn(folder: string): string {
  return /[*?[]/.test(folder) ? folder : `${folder.replace(/\/+$/, '')}/*`;
}

function doubtFolders(words: readonly Pick<CommandWord, 'value'>[], known: PathKnowledge): string | undefined {
  const open = words.find(({ value }) => !known.holdsNoSecrets(value));
  return open && `it reads everything below ${open.value}, where secrets may be`;
}
