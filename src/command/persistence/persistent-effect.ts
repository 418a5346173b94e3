import { accessNumbers } from '../../core/numbers.js';
import { globMatcher } from '../../text/glob-matcher.js';
import { normalPath } from '../read/denied-command.js';
import { programName, type SimpleCommand } from '../read/simple-command.js';
import { filesOf, type NamedFile } from '../read-only/command-files.js';
import { filePrograms } from '../read-only/file-programs.js';
import { readOnlyPrograms } from '../read-only/read-only-programs.js';
import { isStartupPath } from '../read-only/sensitive-path.js';
import { madeByGit } from './persistent-git.js';
import { persistedBy } from './persistent-programs.js';

/** Whether other programs run or obey a file, as far as its path tells. */
export type ObeyedTest = (path: string) => boolean;

/** What a command leaves behind that others run or obey later, in words; undefined where nothing tells of it. */
export type PersistenceJudge = (command: SimpleCommand) => string | undefined;

const { maxFolders, maxLooks, maxWalks } = accessNumbers;
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
    const answer =
      known.get(path) ?? (isStartupPath(path) || namedBy(path).some((name) => isStartupPath(name) || isObeyed(name)));
    known.set(path, answer);
    return answer;
  };
  const persistentAt = (path: string) => {
    const isFixed = /^[/~]/.test(path);
    if (!isFixed && folders === undefined) return tooMany;
    for (const folder of isFixed ? [''] : (folders ?? [])) {
      const joined = folder === '' ? path : `${folder}/${path}`;
      if (!hasLooksFor(joined)) return tooMany;
      if (isPersistentAt(joined)) return runLater(path);
    }
    return undefined;
  };
  return (command) => {
    const effect = persistedBy(command);
    if (effect !== undefined) return effect;
    const startup = startupRedirection(command) ?? startupOperand(command);
    return startup === undefined ? firstOf(changedFiles(command), persistentAt) : runLater(startup);
  };
}

function runLater(path: string): string {
  return `${path} is run or read by other programs later`;
}

function firstOf(paths: readonly string[], judge: (path: string) => string | undefined): string | undefined {
  for (const path of paths) {
    const found = judge(path);
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

/** The path, and what it stands for where it is a pattern that means names which others obey. */
function namedBy(path: string): readonly string[] {
  if (!/[*?[]/.test(path) || path.length > maxPatternChars) return [path];
  let named: readonly string[] = [''];
  for (const [index, segment] of path.split('/').entries()) {
    const isMeant = /[*?[]/.test(segment) ? globMatcher(segment, { nocase: true }) : () => false;
    const names = [segment, ...obeyedNames.filter((name) => isMeant(name))];
    named = named.flatMap((start) => names.map((name) => (index === 0 ? name : `${start}/${name}`))).slice(0, maxNamed);
  }
  return [path, ...named];
}

function startupRedirection({ redirections }: SimpleCommand): string | undefined {
  return redirections.find(
    ({ body, operator, target }) => body === undefined && operator !== '<' && isStartupPath(target?.value ?? ''),
  )?.target?.value;
}

/** Names in paths that others obey, for which a pattern may stand. */
const obeyedNames =
  `.git hooks config pre-commit .husky .vscode settings.json tasks.json .claude .cursor .idea .github workflows .ssh
    authorized_keys .config .bashrc .zshrc .profile .npmrc .gitconfig .gitmodules .mcp.json`.split(/\s+/);
const maxPatternChars = 200;
const maxNamed = 64;

const readers = new Set(
  'git ssh ssh-add source . less more bat stat npm pnpm yarn bun npx bunx curl wget wget2 zip'.split(' '),
);
/** Programs that only check the files they are given, unless an option says otherwise. */
const checkers: ReadonlyMap<string, RegExp> = new Map([
  ['prettier', /^(?:-w|--write)$/],
  ['eslint', /^--(?:fix|output|init)/],
]);

/** A word of a program that is not known to read only or to write only some of its files. */
function startupOperand(command: SimpleCommand): string | undefined {
  const name = programName(command.argv[0]);
  const words = wordsOf(command);
  const does = filePrograms.get(name)?.does;
  if (does !== undefined && does !== 'read') return undefined;
  return (isReader(name, words) ? outputsOf(name, words) : words).map(withoutOption).find(isStartupPath);
}

function isReader(name: string, words: readonly string[]): boolean {
  const unless = checkers.get(name);
  if (unless !== undefined) return !words.some((word) => unless.test(word));
  // Which word of an archive that is unpacked is a folder depends on the letters before.
  if (archivers.test(name))
    return words.some((word, index) =>
      /^(?:--(?:create|list)|-[a-zA-Z]*[ct]\w*)$/.test(index === 0 ? `-${word}` : word),
    );
  return readers.has(name) || readOnlyPrograms.has(name) || filePrograms.has(name) || name === 'find';
}

/** The words, without patterns of what is left out. */
function wordsOf(command: SimpleCommand): readonly string[] {
  const words = command.argv.slice(1).map(({ value }) => value);
  return words.filter(
    (word, index) => !excluding.test(word) && !/^--(?:exclude|ignore)(?:-\w+)?$/.test(words[index - 1] ?? ''),
  );
}

const excluding = /^--(?:exclude|ignore|include|filter)\b[\w-]*=/;
const namingOption =
  /^--?(?!git-|work-|config|no-)[\w-]*(?:out|output\w*|dir|directory|prefix|target\w*|dest\w*|destination|file|path|log|userconfig|one-top-level|cookie-jar|dump-header)=/s;

/** What stands with or behind an option that names what is written. */
function outputsOf(name: string, words: readonly string[]): readonly string[] {
  // Those that are known by one word only, such as for their version, write files otherwise.
  if (readOnlyPrograms.has(name) && readOnlyPrograms.get(name)?.maxWords !== 1) return [];
  return words.filter(
    (word, index) =>
      namingOption.test(word) ||
      /^(?:-[a-zA-Z]*o|--out\w*)$/.test(words[index - 1] ?? '') ||
      /^-[a-zA-Z]*[oOPdC][~/.]/.test(word),
  );
}

function withoutOption(word: string): string {
  return word.replace(/^[\w-]*=/, '').replace(/^-[a-zA-Z]+(?=[~/.])/, '');
}

const archivers = /^(?:(?:bsd)?tar|7za?)$/;
/** Nobody obeys what is gone. */
const removers = /^(?:rm|rmdir|unlink|shred|srm|trash)$/;

/**
 * The files that a command changes: those of the programs known for it, and where others are made to put what they
 * make.
 */
function changedFiles(command: SimpleCommand): readonly string[] {
  const name = programName(command.argv[0]);
  const words = wordsOf(command);
  if (removers.test(name) || (name === 'git' && words.find((word) => !word.startsWith('-')) === 'rm')) return [];
  const edited = filesOf({ text: command.text, commands: [command], problems: [] }).filter((file) =>
    isEdited(name, file),
  );
  const made = name === 'git' ? madeByGit(command.argv.slice(1)) : [];
  const places =
    filePrograms.has(name) && !archivers.test(name) ? [] : [...outputsOf(name, words), ...targetsOf(name, words)];
  return [
    ...edited.flatMap(({ word, isTree }) => (isTree ? [word.value, `${word.value}/`] : [word.value])),
    ...[...made, ...places.map(withoutOption)].flatMap((path) => [path, `${path}/`]),
    ...writtenByScript(name, words),
  ]
    .filter((path) => path !== '' && path !== '/')
    .map((path) => (path.endsWith('/') ? `${normalPath(path)}/` : normalPath(path)));
}

/** Git takes the name of a revision where other programs take a file. */
function isEdited(name: string, { kind, word, from }: NamedFile): boolean {
  // A file of the own home that is put into a folder below is a copy that nobody obeys.
  if (
    from !== undefined &&
    /^~\/\.[\w.-]+$/.test(from.value) &&
    /^\w[^~]*$/.test(word.value) &&
    !/(?:^|\/)\.\.\//.test(word.value)
  )
    return false;
  return kind === 'edit' && !(name === 'git' && /(?:^|\/)HEAD$/.test(word.value));
}

/** Files that the script of an editor of streams writes to. */
function writtenByScript(name: string, words: readonly string[]): readonly string[] {
  const written = /^g?sed$/.test(name)
    ? /[wW](?:[ \t]+|(?=[.~/]))([^\s;}]+)/g
    : /^[gmn]?awk$/.test(name)
      ? />[ \t]*"([^"]+)"/g
      : undefined;
  return written === undefined ? [] : words.flatMap((word) => [...word.matchAll(written)].map(([, path = '']) => path));
}

/** Options that name the folder or file to write to, by program; others give them another meaning. */
const targetOptions: readonly (readonly [names: RegExp, option: RegExp])[] = [
  [/^(?:bsd)?tar$/, /^(?:-?[a-zA-Z]*C[a-zA-Z]*|--(?:cd|directory|one-top-level))$/],
  [/^(?:unzip|aria2c|patch|unrar|cpio|javac)$/, /^(?:-[a-zA-Z]*[dD]|--(?:dir|directory))$/],
  [
    /^(?:wget2?|curl|http|ht|yt-dlp|youtube-dl)$/,
    /^(?:-[a-zA-Z]*[OPcD]|--(?:directory-prefix|output-\w+|paths|cookie-jar|dump-header|trace\S*|stderr|etag-save|save-cookies))$/,
  ],
  [
    /^(?:npm|pnpm|yarn|bun|pip3?|uv|go|cargo|gem|composer|cmake|meson)$/,
    /^(?:--(?:prefix|target|root|dir|directory|install-dir|bindir)|-t|-i)$/,
  ],
];

function targetsOf(name: string, words: readonly string[]): readonly string[] {
  const option = targetOptions.find(([names]) => names.test(name))?.[1];
  return option === undefined ? [] : words.filter((_, index) => option.test(words[index - 1] ?? ''));
}
