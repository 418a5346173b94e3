import { accessNumbers } from '../../core/numbers.js';
import { normalPath } from '../../core/paths/normal-path.js';
import { isObeyedName } from '../../core/paths/sensitive-paths.js';
import { argumentsOf } from '../parse/arguments-of.js';
import { isPassedMore } from '../parse/inner-commands.js';
import type { CommandWord, SimpleCommand } from '../parse/simple-command.js';
import type { Arguments } from '../programs/arguments.js';
import { readArguments } from '../programs/read-arguments.js';
import { addressProgram, isObeyedSetting, settingProgram } from '../programs/setting-program.js';
import { literalWord } from '../words/command-word.js';
import { filesOfCommand, type NamedFile, piecesOf, unknownWordsOf } from './named-files.js';
import { keptByService } from './services.js';

/** Whether other programs run or obey a file, as far as its path tells. */
export type ObeyedTest = (path: string) => boolean;

/** What a command leaves behind that others run or obey later, in words; undefined where nothing tells of it. */
export type PersistenceJudge = (command: SimpleCommand) => string | undefined;

const { maxFolders, maxLooks, maxWalks } = accessNumbers;
/** A pattern that may stand for a hidden file. */
const hiddenPattern = /(?:^|\/)(?:\.[^/*?[]*[*?[]|\[[^\]/]*\.)/;
const tooMany =
  'it changes files in more places than are looked at, and other programs may run or read some of them later';

/**
 * Judges the commands of one line. `entered` are the folders that the line goes to.
 * Each path is asked about once, and no more than a fixed number of them; what is left counts as obeyed.
 */
export function persistenceJudge(entered: readonly string[], isObeyed: ObeyedTest): PersistenceJudge {
  const folders = foldersOf(entered);
  const known = new Map<string, boolean>();
  let patterns = 0;
  const hasLooksFor = (path: string) =>
    known.has(path) || (known.size < maxLooks && (!/[*?[]/.test(path) || ++patterns <= maxWalks));
  const isPersistentAt = (path: string) => {
    const answer = known.get(path) ?? (hiddenPattern.test(path) || isObeyedName(path) || isObeyed(path));
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
  return (command) => persistedBy(command) ?? first(changedPaths(command), persistentAt);
}

function first<Item>(list: readonly Item[], judge: (item: Item) => string | undefined): string | undefined {
  for (const item of list) {
    const found = judge(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Where a relative path may start: where the line does, and in each folder that it may be in later; undefined where
 * these are too many.
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

/** What a command leaves for others by itself, not in a file that it is given. */
function persistedBy(command: SimpleCommand): string | undefined {
  const read = argumentsOf(command);
  const { name, program, effects, values } = read;
  const service = keptByService(command, read);
  if (service !== undefined) return service;
  const modes = /^(?:g?install|chmod)$/.test(name) ? values.filter(({ kind }) => kind === 'text') : [];
  if (modes.some(({ word }) => specialMode.test(word.value)))
    return `${name}: others may run it with the rights of its owner`;
  if (program?.traits.has('setting') && !effects.has('onlyShows')) return persistedSetting(command, read);
  if (!/^git (?:clone|submodule|remote)/.test(name)) return undefined;
  const setting = values.find(
    ({ kind, word }) =>
      (kind === 'config'
        ? settingProgram('git', word.value)
        : kind === 'url'
          ? addressProgram(word.value)
          : undefined) !== undefined,
  );
  return setting && obeyed(setting.word.value.split('=', 1)[0] ?? '');
}

function obeyed(key: string): string {
  return `git runs or trusts what ${key} says from then on`;
}

function persistedSetting({ wrapper }: SimpleCommand, { values }: Arguments<CommandWord>): string | undefined {
  const operands = values.filter(({ option }) => option === undefined).map(({ word }) => word);
  // A key alone is read, unless its value comes later.
  const isMore = wrapper !== undefined && isPassedMore(argumentsOf(wrapper));
  return first(operands.slice(0, isMore ? undefined : -1), (key) => {
    const value = operands[operands.indexOf(key) + 1];
    if (key.kind === 'computed') return 'git config may name a program that git runs from then on';
    const known = value === undefined || value.kind === 'computed' ? undefined : value.value;
    if (known !== undefined && /^alias\./i.test(key.value) && isPlainAlias(known)) return undefined;
    return /\./.test(key.value) && isObeyedSetting(key.value, known) ? obeyed(key.value) : undefined;
  });
}

/** An alias for a command of git of which everything is known, and that starts nothing and writes no settings. */
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

/** Nobody obeys what is gone. */
const removers = /^(?:g?rm|rmdir|unlink|shred|srm|trash|git rm)$/;
const packed = /\.(?:gz|bz2|xz|zst|lz4|lzma|Z|br)$/;

/** The files and folders that a command changes, or that a word of unknown role may name. */
function changedPaths(command: SimpleCommand): readonly string[] {
  const { name, program, values, effects } = argumentsOf(command);
  const redirected = new Set(command.redirections.map(({ target }) => target));
  const kept = filesOfCommand(command).filter(
    (file) => isEdited(name, file) && (!removers.test(name) || redirected.has(file.word)),
  );
  const into = values.filter(({ kind }) => kind === 'intoPath');
  const folders = into.map(({ word }) => word.value);
  const isTree = ({ word, reach }: NamedFile) =>
    reach !== 'file' ||
    name.startsWith('git ') ||
    into.some((each) => each.option !== undefined && each.word.value === word.value);
  const saved = effects.has('saves')
    ? values.flatMap(({ kind, word }) => (kind === 'url' ? [word.value.replace(/[?#].*$|^.*\//gs, '')] : []))
    : [];
  const isOwn = program === undefined && !name.includes(' ');
  const unknown = unknownWordsOf(command)
    .flatMap(piecesOf)
    .map(({ value }) => value);
  return [
    ...kept.flatMap((file) => (isTree(file) ? inFolder(file.word.value) : [file.word.value])),
    ...folders.flatMap((folder) => [`${folder}/`, ...saved.map((file) => `${folder}/${file}`)]),
    ...kept.flatMap(({ word }) => (packed.test(word.value) ? [word.value.replace(packed, '')] : [])),
    ...values.flatMap(({ kind, word }) => (kind === 'code' ? writtenByScript(word.value) : [])),
    ...[...saved, ...(isOwn ? unknown : unknown.flatMap(inFolder))].filter((path) => isObeyedName(path)),
  ]
    .filter((path) => path !== '' && path !== '/')
    .map((path) => (path.endsWith('/') ? `${normalPath(path)}/` : normalPath(path)));
}

/** A folder, and files that other programs load from a hidden one. */
function inFolder(path: string): readonly string[] {
  const inside = /(?:^|\/)\.\w[\w.-]*\/*$/.test(path) ? ['settings.json', 'config', 'workflows/x'] : [];
  return [path, `${path}/`, ...inside.map((file) => `${path}/${file}`)];
}

/** Git takes the name of a revision where other programs take a file. */
function isEdited(name: string, { kind, word, from }: NamedFile): boolean {
  // A file of the own home that is put into a folder below is a copy that nobody obeys.
  const isCopy = from !== undefined && /^~\/\.[\w.-]+$/.test(from.value) && /^\w(?!.*(?:~|\.\.\/))/s.test(word.value);
  return kind === 'edit' && !isCopy && !(name.startsWith('git ') && /(?:^|\/)HEAD$/.test(word.value));
}

/** Files that code writes to, as far as their names stand in it: `w file`, `> "file"`. */
function writtenByScript(code: string): readonly string[] {
  return [...code.matchAll(/(?:\b[wW]\w*!?[ \t]+|[wW](?=[.~/])|>[ \t]*)"?([^\s;}"]+)/g)].map(([, path = '']) => path);
}
