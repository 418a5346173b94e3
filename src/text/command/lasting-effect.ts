import { accessNumbers } from '../../core/limits.js';
import { filesOf, type NamedFile } from './command-files.js';
import { normalPath } from './denied-command.js';
import { filePrograms } from './file-programs.js';
import { plantedBy } from './planting-programs.js';
import { readOnlyPrograms } from './read-only-programs.js';
import { isStartupPath } from './sensitive-path.js';
import type { SimpleCommand } from './simple-command.js';
import { programName } from './simple-command.js';

/** Whether other programs run or obey a file, as far as its path tells. */
export type ObeyedTest = (path: string) => boolean;

/** What a command leaves behind that others run or obey later, in words; undefined where nothing tells of it. `entered` are the folders that its line goes to. */
export function lastingEffect(command: SimpleCommand, entered: readonly string[], isObeyed: ObeyedTest): string | undefined {
  const planted = plantedBy(command);
  if (planted !== undefined) return planted;
  const folders = foldersOf(entered);
  const isLasting = (path: string) => folders.some((folder) => isLastingAt(folder, path, isObeyed));
  const path = startupRedirection(command) ?? startupOperand(command) ?? changedFiles(command).find(isLasting);
  return path === undefined ? undefined : `${path} is run or read by other programs later`;
}

function isLastingAt(folder: string, path: string, isObeyed: ObeyedTest): boolean {
  const joined = folder === '' || /^[/~]/.test(path) ? path : `${folder}/${path}`;
  return isStartupPath(joined) || isObeyed(joined);
}

/** Where a relative path may start: where the line does, and in each folder that it may be in later. */
function foldersOf(entered: readonly string[]): readonly string[] {
  let folders = [''];
  for (const folder of entered) {
    const below = folders.map((start) => (start === '' || /^[/~]/.test(folder) ? folder : `${start}/${folder}`));
    folders = [...new Set([...folders, ...below])].slice(0, accessNumbers.maxFolders);
  }
  return folders;
}

function startupRedirection({ redirections }: SimpleCommand): string | undefined {
  return redirections.find(({ body, operator, target }) => body === undefined && operator !== '<' && isStartupPath(target?.value ?? ''))
    ?.target?.value;
}

const readers = new Set('git ssh source . less more bat stat'.split(' '));

function startupOperand(command: SimpleCommand): string | undefined {
  const name = programName(command.argv[0]);
  const words = command.argv.slice(1).map(({ value }) => value);
  const reads =
    readers.has(name) || readOnlyPrograms.has(name) || (name === 'sed' && !words.some((word) => /^-[a-zA-Z]*i|^--in/.test(word)));
  const last = name === 'uniq' || name === 'xxd' ? words.filter((word) => !word.startsWith('-')).slice(1) : [];
  return (reads ? [...outputsOf(words), ...last] : words).map(withoutOption).find(isStartupPath);
}

/** What stands with or behind an option that often names what is written. */
function outputsOf(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, index) => /^-[^=]*=/s.test(word) || /^(?:-[a-zA-Z]*o|--out\w*)$/.test(words[index - 1] ?? '') || /^-[a-zA-Z]*o[~/.]/.test(word),
  );
}

function withoutOption(word: string): string {
  return word.replace(/^[\w-]*=/, '').replace(/^-[a-zA-Z]+(?=[~/.])/, '');
}

const archivers = /^(?:bsd)?tar$/;
/** Nobody obeys what is gone. */
const removers = /^(?:rm|rmdir|unlink|shred|srm|trash)$/;

/** The files that a command changes: those of the programs known for it, and where others are told to put what they make. */
function changedFiles(command: SimpleCommand): readonly string[] {
  const name = programName(command.argv[0]);
  if (removers.test(name)) return [];
  const words = command.argv.slice(1).map(({ value }) => value);
  const edited = filesOf({ text: command.text, commands: [command], problems: [] }).filter((file) => isEdited(name, file));
  const places = filePrograms.has(name) && !archivers.test(name) ? [] : [...outputsOf(words), ...targetsOf(name, words)].map(withoutOption);
  return [
    ...edited.flatMap(({ word, isTree }) => (isTree ? [word.value, `${word.value}/`] : [word.value])),
    ...places.flatMap((path) => [path, `${path}/`]),
  ]
    .filter((path) => path !== '' && path !== '/')
    .map((path) => (path.endsWith('/') ? `${normalPath(path)}/` : normalPath(path)));
}

/** Git takes the name of a revision where other programs take a file. */
function isEdited(name: string, { kind, word }: NamedFile): boolean {
  return kind === 'edit' && !(name === 'git' && /(?:^|\/)HEAD$/.test(word.value));
}

/** The words behind options that name a folder or a file to write to. */
function targetsOf(name: string, words: readonly string[]): readonly string[] {
  const option = archivers.test(name) ? /^(?:-[a-zA-Z]*C|--(?:cd|directory))$/ : /^(?:-[a-zA-Z]*[dOP]|--(?:dir|directory|prefix|target))$/;
  return name === 'git' ? [] : words.filter((_, index) => option.test(words[index - 1] ?? ''));
}
