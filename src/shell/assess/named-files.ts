import { wordsOf } from '../parse/passed-words.js';
import type { CommandRedirection, CommandWord, SimpleCommand } from '../parse/simple-command.js';
import { typedWords } from '../parse/standard-input.js';
import type { Arguments } from '../programs/arguments.js';
import { computedWord, literalWord } from '../programs/command-words.js';
import { isPlainCode } from '../programs/plain-code.js';
import type { ArgumentKind } from '../programs/row.js';
import { anyName, isPattern, patternOf, starred } from './name-patterns.js';
import { readsHidden } from './read-only.js';

/** A file that a command line reads or changes. */
export interface NamedFile {
  readonly kind: 'read' | 'edit';
  readonly word: CommandWord;
  /**
   * The files that the name includes. `file`: only this file. `folder`: if the name is a folder now, also its entries.
   * `tree`: also everything below the name, even if a folder of that name is created later. `visible`: like `tree`, but
   * without hidden files below the name. `new`: like `tree`, and in an existing folder also files that do not exist
   * yet. `history`: also everything below the name in any revision.
   */
  readonly reach: 'file' | 'folder' | 'tree' | 'visible' | 'new' | 'history';
  /**
   * For `history`: words that may be paths or revisions. If files of these names exist, git shows or changes only these
   * files.
   */
  readonly within?: readonly CommandWord[];
  /** The source of a copy or move into a folder. The file keeps its name there. */
  readonly from?: CommandWord;
}

/** The files that a command names or may name. */
export interface Named {
  /** The files that redirections and known programs read and change. */
  readonly files: readonly NamedFile[];
  /** Words of unknown role, and their parts (`-o=x`, `-ox`, `x:/y`). Each of them may name a file. */
  readonly unknown: readonly CommandWord[];
  /** Code and standard input that may open files. */
  readonly texts: readonly string[];
}

/** The maximum number of destinations that are listed for one command. A command with more may change any file. */
const maxNamedFiles = 1_000;

const known = new WeakMap<SimpleCommand, Named>();

/** The files that a command names or may name. */
export function namedBy(command: SimpleCommand): Named {
  const named = known.get(command) ?? { files: readFiles(command), ...possibleNames(command) };
  known.set(command, named);
  return named;
}

/** The files that redirections and known programs read and change. */
export function filesOf(command: SimpleCommand): readonly NamedFile[] {
  return namedBy(command).files;
}

/**
 * Whether the output of a command depends on files of the workspace: the command names files, or git reads the settings
 * of a repository.
 */
export function restsOnFiles(command: SimpleCommand): boolean {
  const { files, unknown, texts } = namedBy(command);
  return files.length + unknown.length + texts.length > 0 || /^git(?: |$)/.test(command.read.name);
}

/**
 * The words whose role is unknown. If the table of programs lacks one of the options or operands, or does not know the
 * role of an operand, the role of every word is unknown.
 */
export function unknownWordsOf(command: SimpleCommand): readonly CommandWord[] {
  const { values, unknown } = command.read;
  const isOpen = values.some(({ kind, option }) => kind === 'unknown' && option === undefined);
  if (unknown.length > 0 || isOpen) return wordsOf(command).slice(1);
  return values.flatMap(({ kind, word }) => (kind === 'unknown' ? [word] : []));
}

function possibleNames(command: SimpleCommand): Pick<Named, 'unknown' | 'texts'> {
  const { read } = command;
  const { name, program, values, effects } = read;
  const codes = values.flatMap(({ kind, word }) => (kind === 'code' ? [word.value] : []));
  const isPlain = (code: string) => isPlainCode(name, code);
  const isCode = /^code/.test(program?.operands[0] ?? '') && !effects.has('onlyShows');
  // Code may open the files that its arguments name.
  const isGiven = isCode && !(codes.length > 0 && codes.every(isPlain)) ? /^(?:text|readPath)$/ : /(?!)/;
  // An unquoted expansion in the place of text may become several words, of which some may be files.
  const opensFiles = program?.operands.some((kind) => /Path$/.test(kind));
  const isSplit = ({ kind, text }: CommandWord) => opensFiles && kind === 'computed' && !/^"[^"@]*"$/.test(text);
  const given = values.flatMap(({ kind, word, option }) =>
    isGiven.test(kind) || (kind === 'config' && option === undefined) || (kind === 'text' && isSplit(word))
      ? [word]
      : [],
  );
  // A word that is known only at run time may be an option that writes a file.
  const mayWrite = [...(program?.options.values() ?? [])].some(({ kind }) => /^(?:write|edit|into)Path$/.test(kind));
  const mayBeOption = ({ text, value }: CommandWord) => {
    const at = command.passed === undefined ? -1 : value.search(command.passed.placeholder);
    return at === -1 ? !/^["']?(?:[\w./~]|\{[^-$`]*\})/.test(text) : at === 0 && command.passed?.isPath === false;
  };
  const typed = typedWords(command);
  // Code of an interpreter is omitted here, because it is checked with the interpreter itself.
  const outer = command.wrapper === undefined ? [] : command.wrapper.read.values;
  const isOuterCode = ({ text }: CommandWord) => outer.some(({ kind, word }) => kind === 'code' && word.text === text);
  const started = command.argv.slice(0, 1).filter((word) => !isOuterCode(word));
  // Input and programs that are known only at run time may open any file.
  const computed = [...typed, ...started].filter((word) => word.kind === 'computed');
  return {
    unknown: [
      ...[...unknownWordsOf(command), ...given].map(patternOf).flatMap(partsOf),
      ...(mayWrite ? read.possibleOptions.filter(mayBeOption) : []),
      ...computed,
    ],
    texts: [...codes.filter((code) => !isPlain(code)), ...typed.map(({ value }) => value)],
  };
}

/** The parts of a text that may name files, including a part after an option letter (`-ofile`). */
export function namesIn(text: string): readonly string[] {
  return afterLetters(text.match(/[\w.~/+\u0080-\uffff-]+/g) ?? []);
}

function afterLetters(parts: readonly string[]): readonly string[] {
  const values = new Set([...parts, ...parts.map((part) => part.replace(/^-\w/, ''))]);
  return [...values].filter((value) => value !== '');
}

/** A word and its parts that may name files. */
export function partsOf(word: CommandWord): readonly CommandWord[] {
  const parts = word.kind === 'literal' ? namesIn(word.value) : afterLetters(word.value.split(/[\s,=:@"']+/));
  return [word, ...parts.map((value) => ({ ...word, text: value, value }))];
}

function readFiles(command: SimpleCommand): readonly NamedFile[] {
  const { name, program, effects, unknown, ...read } = command.read;
  const values = read.values.map((value) => ({ ...value, word: patternOf(value.word) }));
  const isTree = effects.has('recursive') || effects.has('edits');
  const isVisible = program?.traits.has('skipsHidden') && unknown.length === 0 && !readsHidden(command.read);
  const reach = isTree ? (isVisible ? 'visible' : 'tree') : program?.traits.has('readsFolders') ? 'folder' : 'file';
  const readers = values.filter(({ kind }) => kind === 'readPath' || kind === 'editPath');
  const destinations = values.filter(({ kind }) => kind === 'intoPath').length;
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
      if (kind === 'editPath') return [read, edit, ...(program?.traits.has('unpacks') ? unpacked(word) : [])];
      if (kind === 'intoPath')
        // A pattern may expand to several words, of which only the last is the destination.
        return [
          edit,
          ...(isPattern(word) ? [read] : []),
          ...(readers.length * destinations > maxNamedFiles ? [anyName] : readers.map((source) => source.word)).flatMap(
            (source) => inside(word, source, /^g?ln$/.test(name) ? 'tree' : reach),
          ),
        ];
      if (kind === 'data') return uploadedFiles(word);
      if (kind === 'url') return localFile(word);
      return /^g?dd$|^dc[f3]l?dd$/.test(name) ? copiedRaw(word) : [];
    }),
  ];
  const isSaved =
    effects.has('saves') || values.some(({ kind, word }) => kind === 'writePath' && /#\d/.test(word.value));
  if (isSaved && !values.some(({ kind, option }) => kind === 'writePath' && option === undefined))
    named.push(...savedFiles(command.read, reach));
  if (effects.has('creates') || program?.traits.has('creates')) {
    const into = values.filter(({ kind }) => kind === 'intoPath').map(({ word }) => word);
    const folders = into.length > 0 ? into : [literalWord('.')];
    named.push(...folders.map((word) => ({ kind: 'edit', word, reach: 'new' }) as const));
  }
  const isIdle = effects.has('onlyShows') && unknown.length === 0;
  return [...command.redirections.flatMap(redirected), ...named.filter(({ kind }) => kind === 'read' || !isIdle)];
}

/** The tracked files that git shows or changes: the files below its path operands, or all files. */
function trackedFiles(command: SimpleCommand): NamedFile[] {
  const { name, program, values, effects, unknown } = command.read;
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

/**
 * Whether a word is a git pathspec with a pattern (its `*` also matches slashes) or with a colon (it may begin an
 * exclusion).
 */
function isPathspec({ value }: CommandWord): boolean {
  return /[*?[\\:]/.test(value);
}

function redirected({ operator, target, body }: CommandRedirection): NamedFile[] {
  if (target === undefined || body !== undefined || /^(?:\d+-?|-)$/.test(target.value)) return [];
  const word = patternOf(target);
  const read: NamedFile = { kind: 'read', word, reach: 'file' };
  const edit: NamedFile = { kind: 'edit', word, reach: 'file' };
  if (operator === '<>') return [read, edit];
  return operator.includes('>') ? [edit] : operator === '<' ? [read] : [];
}

/** The destination of a source file if the target is a folder. */
function inside(destination: CommandWord, source: CommandWord, reach: NamedFile['reach']): NamedFile[] {
  // A source such as `.` or `x/` copies its entries, so the destination gets files of unknown names.
  if (/(?:^|\/)\.{0,2}$/.test(source.value)) return [{ kind: 'edit', word: destination, reach: 'new', from: source }];
  const last = source.value.replace(/^.*\//s, '');
  const kind = [destination, source].find((word) => word.kind !== 'literal')?.kind ?? 'literal';
  // The name of another machine may precede the path (`host:path`).
  return [...new Set([last, last.replace(/^.*:/s, '')])].map((name) => {
    const value = `${destination.value}/${name}`;
    const word = { text: value, value, kind, runs: [] };
    return { kind: 'edit', word, reach, from: source };
  });
}

/** The files that downloads and clones create, named after the last segment of each URL. */
function savedFiles({ values, effects }: Arguments<CommandWord>, reach: NamedFile['reach']): NamedFile[] {
  const folders = values.flatMap(({ kind, word }) => (kind === 'intoPath' ? [`${word.value}/`] : []));
  return values.flatMap(({ kind, word }): NamedFile[] => {
    if (kind !== 'url') return [];
    const address = word.value.replace(/[?#].*$/s, '').replace(/^[a-z][a-z\d+.-]*:\/+|(?:(?<=[^/])\.git)?\/*$/gi, '');
    const segments = starred(percentDecoded(address).replaceAll(/\[[^[\]]*\]/g, '*')).split(
      effects.has('recursive') ? '/' : /[/:](?=.)/,
    );
    const first = effects.has('recursive') ? 0 : segments.length - 1;
    if ((segments.length - first) * Math.max(1, folders.length) > maxNamedFiles)
      return [{ kind: 'edit', word: anyName, reach }];
    const names = segments.slice(first).map((_, index) => segments.slice(first + index).join('/'));
    return names.flatMap((name) =>
      (folders.length > 0 ? folders : ['']).map((folder) => {
        const value = `${folder}${name}`;
        const kind = word.kind === 'computed' ? 'computed' : /[*?[]/.test(value) ? 'glob' : 'literal';
        return { kind: 'edit', word: { text: value, value, kind, runs: [] }, reach };
      }),
    );
  });
}

/** The files after `@` or `<` in uploaded data: `@x`, `name=@x,y;type=z`, `name@x`. */
function uploadedFiles(word: CommandWord): NamedFile[] {
  const [, value, others] = /^[^=@]*@(.+)|=[@<]([^;]+)/s.exec(word.value) ?? [];
  const names = [value, others, ...(others?.includes(',') ? others.split(',') : [])];
  return names.flatMap((name) => partOf(word, name?.replaceAll('"', '')));
}

/** The local file that a `file:` URL names. Brackets and braces stand for several names. */
function localFile(word: CommandWord): NamedFile[] {
  const path = /^file:(?:\/\/(?:localhost)?(?=\/))?(.+)/is.exec(word.value)?.[1];
  return partOf(/[[{]/.test(path ?? '') ? computedWord(word.text) : word, path && percentDecoded(path));
}

function percentDecoded(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The file that an unpacker writes in place of the packed file. */
function unpacked(word: CommandWord): NamedFile[] {
  const value = word.value.replace(/\.(?:gz|bz2|xz|zst|lz4|lzma|Z|br)$/, '');
  return value === word.value ? [] : partOf(word, value, 'edit');
}

function copiedRaw(word: CommandWord): NamedFile[] {
  const [, way, value] = /^(if|of)=(.+)/s.exec(word.value) ?? [];
  return partOf(word, value, way === 'of' ? 'edit' : 'read');
}

function partOf(word: CommandWord, value: string | undefined, kind: NamedFile['kind'] = 'read'): NamedFile[] {
  return value === undefined ? [] : [{ kind, word: { ...word, text: value, value }, reach: 'file' }];
}
