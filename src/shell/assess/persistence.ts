import { accessNumbers } from '../../core/numbers.js';
import { normalPath } from '../../core/text/path-names.js';
import { isAutoExecutedPath } from '../../core/text/sensitive-paths.js';
import { argumentsOf, isFollowing } from '../parse/arguments-of.js';
import type { CommandReading, CommandWord, SimpleCommand } from '../parse/simple-command.js';
import type { Arguments } from '../programs/arguments.js';
import { isPlainCode } from '../programs/plain-code.js';
import { readArguments } from '../programs/read-arguments.js';
import { addressProgram, isExecutedSetting, settingProgram } from '../programs/setting-program.js';
import { literalWord } from '../programs/words.js';
import { enteredWords, filesOf, type NamedFile, scriptWords, unknownWordsOf, wordsIn } from './named-files.js';
import { describeServiceUse } from './services.js';

/** Whether a file is auto-executed, by its path. */
export type AutoExecutedTest = (path: string) => boolean;

/**
 * Describes the persistence of a command: code or settings that other programs load later. Undefined if none is known.
 */
export type PersistenceJudge = (command: SimpleCommand) => string | undefined;

const { maxFolders, maxLooks, maxWalks } = accessNumbers;
/** A pattern that may match a hidden file. */
const hiddenPattern = /(?:^|\/)(?:\.[^/*?[]*[*?[]|\[[^\]/]*\.)/;
const tooMany =
  'it changes files in more places than are checked, and other programs may load or run some of them later';

/** The words that the variable of a loop takes, or that `set` makes the arguments. */
const loop = /\b(?:for\s+\w+\s+in|set\s+--)\s+([^;\n]+)/g;
/** Finds the auto-executed files that words of a text name, and those in folders that they name. */
type NameFinder = (text: string) => readonly string[];

/** Judges the commands of one line. */
export function persistenceJudge(reading: CommandReading, isObeyed: AutoExecutedTest): PersistenceJudge {
  const folders = foldersOf(enteredWords(reading).map(({ value }) => value));
  const texts = new Map<string, readonly string[]>();
  const namesIn = (text: string) => {
    const words = texts.has(text) ? [] : [...new Set(wordsIn(text))];
    const names = texts.get(text) ?? words.flatMap(inFolder).filter((path) => isAutoExecutedPath(path));
    texts.set(text, names);
    return names;
  };
  const looped = [...reading.text.matchAll(loop)].map(([, words]) => words).join(' ');
  const known = new Map<string, boolean>();
  let patterns = 0;
  const hasLooksFor = (path: string) =>
    known.has(path) || (known.size < maxLooks && (!/[*?[]/.test(path) || ++patterns <= maxWalks));
  const isPersistentAt = (path: string) => {
    const answer = known.get(path) ?? (hiddenPattern.test(path) || isAutoExecutedPath(path) || isObeyed(path));
    known.set(path, answer);
    return answer;
  };
  const persistentAt = (path: string) => {
    const isFixed = /^[/~]/.test(path);
    if (!isFixed && folders === undefined) return tooMany;
    for (const folder of isFixed ? [''] : (folders ?? [])) {
      const joined = folder === '' ? path : `${folder}/${path}`;
      if (!hasLooksFor(joined)) return tooMany;
      if (isPersistentAt(joined)) return `${path} is run or read by other programs later`;
    }
    return undefined;
  };
  return (command) => describePersistence(command) ?? first(changedPaths(command, looped, namesIn), persistentAt);
}

function first<Item>(list: readonly Item[], judge: (item: Item) => string | undefined): string | undefined {
  for (const item of list) {
    const found = judge(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The folders that a relative path may start from: the start folder, and each folder of the line; undefined if there
 * are too many.
 */
function foldersOf(entered: readonly string[]): readonly string[] | undefined {
  const folders = new Set(['']);
  for (const folder of entered) {
    for (const start of [...folders]) folders.add(start === '' || /^[/~]/.test(folder) ? folder : `${start}/${folder}`);
    if (folders.size > maxFolders) return undefined;
  }
  return [...folders];
}

const specialMode = /^(?:(?=\S*[+=][rwxXt]*s)[ugoarwxXst+=,-]+|[+=]?0*[2-7][0-7]{3})$/;

/** Persistence of a command itself, apart from the files it changes. */
function describePersistence(command: SimpleCommand): string | undefined {
  const read = argumentsOf(command);
  const { name, program, effects, values } = read;
  const service = describeServiceUse(command, read);
  if (service !== undefined) return service;
  const modes = /^(?:g?install|chmod)$/.test(name) ? values.filter(({ kind }) => kind === 'text') : [];
  if (modes.some(({ word }) => specialMode.test(word.value)))
    return `${name}: others may run it with the rights of its owner`;
  if (program?.traits.has('setting') && !effects.has('onlyShows')) return persistedSetting(read);
  if (!/^git (?:clone|submodule|remote)/.test(name)) return undefined;
  const setting = values.find(
    ({ kind, word }) =>
      (kind === 'config'
        ? settingProgram('git', word.value)
        : kind === 'url'
          ? addressProgram(word.value)
          : undefined) !== undefined,
  );
  return setting && executedLater(setting.word.value.split('=', 1)[0] ?? '');
}

function executedLater(key: string): string {
  return `git runs or trusts what ${key} says from then on`;
}

function persistedSetting({ values }: Arguments<CommandWord>): string | undefined {
  const operands = values.filter(({ option }) => option === undefined).map(({ word }) => word);
  // The last key has no value, so git only reads it, unless further words come at run time.
  const isMore = operands.some(isFollowing);
  const keys = isMore ? operands.slice(0, Math.max(1, operands.findIndex(isFollowing))) : operands.slice(0, -1);
  return first(keys, (key) => {
    const value = operands[operands.indexOf(key) + 1];
    if (key.kind === 'computed') return 'git config may name a program that git runs from then on';
    const known = value === undefined || value.kind === 'computed' ? undefined : value.value;
    if (known !== undefined && /^alias\./i.test(key.value) && isPlainAlias(known)) return undefined;
    return /\./.test(key.value) && isExecutedSetting(key.value, known) ? executedLater(key.value) : undefined;
  });
}

/** An alias for a known git command that runs no program and writes no settings. */
function isPlainAlias(value: string): boolean {
  const words = ['git', ...value.split(/\s+/)].map(literalWord);
  const { program, values, unknown, started } = readArguments(words);
  if (program === undefined || program.traits.has('setting')) return false;
  return (
    unknown.length === 0 &&
    started.length === 0 &&
    values.every(({ kind }) => /^(?:text|path|readPath|url|editPath)$/.test(kind))
  );
}

/** A removed file is not executed. */
const removers = /^(?:g?rm|rmdir|unlink|shred|srm|trash|git (?:rm|clean))$/;
const packed = /\.(?:gz|bz2|xz|zst|lz4|lzma|Z|br)$/;

/** The files and folders that a command changes, and those that a word of unknown role may name. */
function changedPaths(command: SimpleCommand, looped: string, namesIn: NameFinder): readonly string[] {
  const { name, values, effects } = argumentsOf(command);
  const redirected = new Set(command.redirections.map(({ target }) => target));
  const kept = filesOf(command).filter(
    (file) => isEdited(name, file) && (!removers.test(name) || redirected.has(file.word)) && file.reach !== 'history',
  );
  const into = values.filter(({ kind }) => kind === 'intoPath');
  const folders = into.flatMap(({ word }) => pathsOf(word));
  const isTree = ({ word, reach }: NamedFile) =>
    reach !== 'file' ||
    name.startsWith('git ') ||
    into.some((each) => each.option !== undefined && each.word.value === word.value);
  const saved = effects.has('saves')
    ? values.flatMap(({ kind, word }) => (kind === 'url' ? [savedName(word.value)] : []))
    : [];
  return [
    ...kept.flatMap((file) => (isTree(file) ? pathsOf(file.word).flatMap(inFolder) : pathsOf(file.word))),
    ...folders.flatMap((folder) => [`${folder}/`, ...saved.map((file) => `${folder}/${file}`)]),
    ...kept.flatMap(({ word }) => (packed.test(word.value) ? [word.value.replace(packed, '')] : [])),
    ...values.flatMap(({ kind, word }) => (kind === 'code' ? writtenByScript(word.value) : [])),
    ...saved.flatMap(inFolder).filter((path) => isAutoExecutedPath(path) || hiddenPattern.test(path)),
    ...possibleTexts(command, looped)
      .flatMap(namesIn)
      .filter((path) => !(name.startsWith('git ') && isRevision(path))),
  ]
    .filter((path) => path !== '' && path !== '/')
    .map((path) => (path.endsWith('/') ? `${normalPath(path)}/` : normalPath(path)));
}

const alternatives = /(?<!\$)\{([^{}]*,[^{}]*)\}/;
const maxAlternatives = 64;

/** The paths of a word with its braces expanded; a pattern if the braces are sequences or too many. */
function pathsOf({ kind, text, value }: CommandWord): readonly string[] {
  if (kind !== 'computed' || !/\{[^}]*(?:,|\.\.)/.test(text)) return [value];
  let texts = [text.replaceAll(/(?<!\$)\{[^{},]*\.\.[^{},]*\}/g, '*')];
  while (texts.some((each) => alternatives.test(each))) {
    texts = texts.flatMap((each) => {
      const [group, choice] = alternatives.exec(each) ?? [];
      if (group === undefined || choice === undefined) return [each];
      return choice.split(',').map((part) => each.replace(group, () => part));
    });
    if (texts.length > maxAlternatives) return ['.*'];
  }
  return texts.map((each) => each.replaceAll(/["'\\]/g, ''));
}

/**
 * The name under which a download or a clone is saved, with `*` for braces and brackets, which are patterns of curl.
 */
function savedName(address: string): string {
  const last = address.replace(/[?#].*$/s, '').replace(/(?:(?<=[^/])\.git)?\/*$|^.*[/:](?=.)/gs, '');
  const plain = last.replaceAll(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return plain.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '*');
}

/**
 * Texts that may name a file that a command writes, although no role in the table says so: words of unknown role,
 * targets of builds, code and its arguments; and, if a written path is known only at run time, the words of the
 * commands that may print it.
 */
function possibleTexts(command: SimpleCommand, looped: string): readonly string[] {
  const { name, program, values, effects } = argumentsOf(command);
  const code = values.filter(({ kind }) => kind === 'code');
  const isPlain = code.length > 0 && code.every(({ word }) => isPlainCode(name, word.value));
  const runsCode = /^code/.test(program?.operands[0] ?? '') && !isPlain && !effects.has('onlyShows');
  const roles = runsCode ? /^(?:unknown|text|readPath)$/ : /^unknown$/;
  const given = values.flatMap(({ kind, word, option }) =>
    roles.test(kind) || (kind === 'config' && option === undefined) ? [word] : [],
  );
  const words = [...unknownWordsOf(command), ...given].flatMap(pathsOf);
  const written = filesOf(command).flatMap(({ kind, word }) => (kind === 'edit' ? [word] : []));
  const open = removers.test(name) ? [] : [...written, ...given].filter(({ kind }) => kind === 'computed');
  return [
    [...words, ...words.map((word) => word.replace(/^-\w/, '')), ...scriptWords(command)].join(' '),
    ...(open.length > 0 ? [...printedFor(command, open), looped] : []),
  ];
}

/** Words that a command may get from other commands: from a pipe, a substitution, typed input or a search. */
function printedFor(command: SimpleCommand, open: readonly CommandWord[]): readonly string[] {
  const sources = [command, ...command.input, ...open.flatMap(({ runs }) => runs)];
  for (let each = command.wrapper; command.passed && each; each = each.wrapper) sources.push(each);
  const named = command.passed ? /^(?:unknown|path|readPath|command)$/ : /^(?:unknown|path)$/;
  return sources.flatMap((source) => {
    const { program, values } = argumentsOf(source);
    const kinds = program?.operands.every((kind) => kind === 'text') ? /^text$/ : named;
    const operands = values.filter(({ kind, option }) => option === undefined && kinds.test(kind));
    const bodies = source.redirections.flatMap(({ body }) => body ?? []);
    return [operands.map(({ word }) => word.value).join(' '), ...bodies];
  });
}

/** A folder, and auto-executed files in hidden folders. */
function inFolder(path: string): readonly string[] {
  const inside = /(?:^|\/)\.\w[\w.-]*\/*$/.test(path) ? ['settings.json', 'config', 'workflows/x'] : [];
  return [path, `${path}/`, ...inside.map((file) => `${path}/${file}`)];
}

/** Whether a changed file may be auto-executed. Revisions of git are not files. */
function isEdited(name: string, { kind, word, from }: NamedFile): boolean {
  // A home folder's auto-executed file is not auto-executed in a folder below.
  const isCopy = from !== undefined && /^~\/\.[\w.-]+$/.test(from.value) && /^\w(?!.*(?:~|\.\.\/))/s.test(word.value);
  return kind === 'edit' && !isCopy && !(name.startsWith('git ') && isRevision(word.value));
}

function isRevision(word: string): boolean {
  return /(?:^|\/)HEAD$/.test(word);
}

/** Files that code writes to, as far as it contains their names: `w file`, `> "file"`. */
function writtenByScript(code: string): readonly string[] {
  return [...code.matchAll(/(?:\b[wW]\w*!?[ \t]+|[wW](?=[.~/])|>>?[ \t]*)"?([^\s;}"]+)/g)].map(([, path = '']) => path);
}
