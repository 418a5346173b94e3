import { argumentsOf } from '../parse/arguments-of.js';
import { unknownVariables } from '../parse/set-variables.js';
import type { CommandReading, CommandRedirection, CommandWord, SimpleCommand } from '../parse/simple-command.js';
import { typedWords } from '../parse/standard-input.js';
import type { Arguments } from '../programs/arguments.js';
import { isPlainCode } from '../programs/plain-code.js';
import type { ArgumentKind } from '../programs/program.js';
import { literalWord } from '../programs/words.js';

/** A file that a command line reads or changes. */
export interface NamedFile {
  readonly kind: 'read' | 'edit';
  readonly word: CommandWord;
  /**
   * The files that the name includes. `file`: only this file. `folder`: also its entries if it is a folder now. `tree`:
   * also everything below it, even if it becomes a folder later. `history`: also everything that was ever below it.
   */
  readonly reach: 'file' | 'folder' | 'tree' | 'history';
  /** For `history`: paths or revisions. If files of these names exist, git shows only those files. */
  readonly within?: readonly CommandWord[];
  /** The source of a copy or move into a folder, in which the file keeps its name. */
  readonly from?: CommandWord;
}

/** The words whose role is unknown: each, or a part of it (`-o=x`, `-ox`, `x:/y`), may name a file. */
export function unknownWords({ commands }: CommandReading): readonly CommandWord[] {
  const variables = commands.flatMap((command) => unknownVariables(command, argumentsOf(command)));
  return [...commands.flatMap(unknownWordsOf), ...variables].flatMap((word) => {
    const pieces = [/^[^=]*=(.*)/s, /^-\w(.+)/s, /^([^:]*):/s].flatMap((form) => form.exec(word.value)?.[1] ?? []);
    return [word, ...pieces.map((value) => ({ ...word, value }))];
  });
}

/** The words of code that may open files: each may name one. */
export function scriptWords(command: SimpleCommand): readonly string[] {
  const { name, values } = argumentsOf(command);
  const codes = values.flatMap(({ kind, word }) => (kind === 'code' ? [word.value] : []));
  return [...codes, ...typedWords(command).map(({ value }) => value)].flatMap((code) =>
    isPlainCode(name, code) ? [] : wordsIn(code),
  );
}

/** The parts of a text that may name files. */
export function wordsIn(text: string): readonly string[] {
  return text.match(/[\w.~/@+-]+/g) ?? [];
}

/** Like `unknownWords`, for one command: all its words if it contains a program that is not in the table. */
export function unknownWordsOf(command: SimpleCommand): readonly CommandWord[] {
  const { values, unknown } = argumentsOf(command);
  if (unknown.length > 0) return command.argv.slice(1);
  return values.flatMap(({ kind, word }) => (kind === 'unknown' ? [word] : []));
}

const known = new WeakMap<SimpleCommand, readonly NamedFile[]>();

/** The files that redirections and known programs read and change. */
export function filesOf(command: SimpleCommand): readonly NamedFile[] {
  const files = known.get(command) ?? readFiles(command);
  known.set(command, files);
  return files;
}

function readFiles(command: SimpleCommand): readonly NamedFile[] {
  const { name, program, values, effects, unknown } = argumentsOf(command);
  const isTree = effects.has('recursive') || effects.has('edits');
  const reach = isTree ? 'tree' : program?.traits.has('readsFolders') ? 'folder' : 'file';
  const readers = values.filter(({ kind }) => kind === 'readPath' || kind === 'editPath');
  const operands = values.filter(({ kind, option }) => option === undefined && kind !== 'text' && kind !== 'code');
  const isHere = program?.traits.has('readsHere') || (effects.has('recursive') && !program?.traits.has('recursive'));
  const kinds = new Set([...(program?.operands ?? []), ...(effects.has('edits') ? ['writePath'] : [])]);
  const implied = (word: CommandWord): NamedFile[] => [
    ...(kinds.has('readPath') || kinds.has('editPath') ? [{ kind: 'read', word, reach } as const] : []),
    ...(kinds.has('writePath') || kinds.has('editPath') ? [{ kind: 'edit', word, reach } as const] : []),
  ];
  const here = isHere && operands.length === 0 ? implied(literalWord('.')) : [];
  const named = [
    ...here.filter(({ kind }) => kind === 'edit' || command.input.length === 0),
    ...trackedFiles(command),
    ...values.flatMap(({ kind, word, option }): NamedFile[] => {
      const read: NamedFile = { kind: 'read', word, reach };
      const edit: NamedFile = { kind: 'edit', word, reach: option === undefined ? reach : 'file' };
      if (kind === 'readPath' || kind === 'codePath') return [read];
      if (kind === 'writePath')
        return name.startsWith('git ') && isPathspec(word) ? [edit, ...implied(literalWord('.'))] : [edit];
      if (kind === 'editPath') return [read, edit];
      if (kind === 'intoPath')
        return [edit, ...readers.flatMap((source) => inside(word, source.word, /^g?ln$/.test(name) ? 'tree' : reach))];
      if (kind === 'data') return uploadedFile(word);
      if (kind === 'url') return localFile(word);
      return /^g?dd$|^dc[f3]l?dd$/.test(name) ? copiedRaw(word) : [];
    }),
  ];
  const isIdle = effects.has('onlyShows') && unknown.length === 0;
  return [...command.redirections.flatMap(redirected), ...named.filter(({ kind }) => kind === 'read' || !isIdle)];
}

/** The tracked files that git shows or changes: those below its path operands, or else all. */
function trackedFiles(command: SimpleCommand): NamedFile[] {
  const { name, program, values, effects, unknown } = argumentsOf(command);
  if (program === undefined || !/^(?:git|gh)(?: |$)/.test(name)) return [];
  const end = command.argv.findIndex(({ value }) => value === '--');
  const below = (kind: NamedFile['kind'], does: 'showsTree' | 'changesTree', role: ArgumentKind): NamedFile[] => {
    const operands = values.filter((each) => each.option === undefined && each.kind === role).map(({ word }) => word);
    const isGiven = kind === 'read' || operands.length > 0 || !program.operands.includes(role);
    const options = [...program.options.values()];
    const may = name === 'git' || program.traits.has(does) || options.some((each) => each.effects.includes(does));
    const isDone = effects.has(does) || (program.traits.has(does) && isGiven && !effects.has('sparesTree'));
    const isFile = (word: CommandWord) => word.kind === 'literal' && /^[\w./~^@-]+:./.test(word.value);
    const isNamed = /^git (?:show|cat-file)$/.test(name) && operands.length > 0 && operands.every(isFile);
    if (isNamed || !(isDone || (may && unknown.length > 0))) return [];
    const named = end === -1 ? operands : command.argv.slice(end + 1);
    const isPlain = !named.some(isPathspec) && named.every((word) => word.kind === 'literal');
    const isPath = end !== -1 || program.traits.has('pathsOnly');
    if (isPath && named.length > 0 && isPlain) return named.map((word) => ({ kind, word, reach: 'history' }));
    return [{ kind, word: literalWord('.'), reach: 'history', within: isPlain ? named : [] }];
  };
  return [...below('read', 'showsTree', 'readPath'), ...below('edit', 'changesTree', 'writePath')];
}

/** A pattern of git also matches slashes, and a colon may begin an exception. */
function isPathspec({ value }: CommandWord): boolean {
  return /[*?[\\:]/.test(value);
}

function redirected({ operator, target, body }: CommandRedirection): NamedFile[] {
  if (target === undefined || body !== undefined || /^(?:\d+-?|-)$/.test(target.value)) return [];
  const read: NamedFile = { kind: 'read', word: target, reach: 'file' };
  const edit: NamedFile = { kind: 'edit', word: target, reach: 'file' };
  if (operator === '<>') return [read, edit];
  return operator.includes('>') ? [edit] : operator === '<' ? [read] : [];
}

/** The destination of a source if the target is a folder. */
function inside(destination: CommandWord, source: CommandWord, reach: NamedFile['reach']): NamedFile[] {
  const last = source.value.replace(/\/+$/, '').replace(/^.*\//s, '');
  const kind = [destination, source].find((word) => word.kind !== 'literal')?.kind ?? 'literal';
  const text = `${destination.text}/${source.text}`;
  // The name of another machine may precede the path (`host:path`).
  return [...new Set([last, last.replace(/^.*:/s, '')])].map((name) => {
    const word = { text, value: `${destination.value}/${name}`, kind, runs: [] };
    return { kind: 'edit', word, reach, from: source };
  });
}

/** The file after `@` or `<` in uploaded data: `@x`, `name=@x;type=y`, `name@x`. */
function uploadedFile(word: CommandWord): NamedFile[] {
  const [, value, other] = /^[^=@]*@(.+)|=[@<]([^;]+)/s.exec(word.value) ?? [];
  return partOf(word, value ?? other);
}

/** The file that a URL names. */
function localFile(word: CommandWord): NamedFile[] {
  return partOf(word, /^file:(?:\/\/(?:localhost)?(?=\/))?(.+)/is.exec(word.value)?.[1]);
}

function copiedRaw(word: CommandWord): NamedFile[] {
  const [, way, value] = /^(if|of)=(.+)/s.exec(word.value) ?? [];
  return partOf(word, value, way === 'of' ? 'edit' : 'read');
}

/** The file that a part of a word names. */
function partOf(word: CommandWord, value: string | undefined, kind: NamedFile['kind'] = 'read'): NamedFile[] {
  return value === undefined ? [] : [{ kind, word: { ...word, text: value, value }, reach: 'file' }];
}

/** The folders that commands of a line change to or get as a working directory, in order. */
export function enteredWords(reading: CommandReading): readonly CommandWord[] {
  return reading.commands.flatMap((command) => foldersIn(argumentsOf(command)));
}

/** The working directories in the options of a program (`-C`). */
export function foldersIn({ name, program, values }: Arguments<CommandWord>): readonly CommandWord[] {
  const folders = values.filter(
    ({ kind, option = '' }) => kind === 'folder' || program?.options.get(option)?.effects.includes('enters'),
  );
  return name === 'cd' && folders.length === 0 ? [literalWord('~')] : folders.map(({ word }) => word);
}
