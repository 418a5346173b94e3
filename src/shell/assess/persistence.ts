import { accessNumbers } from '../../core/fixed-limits.js';
import { normalPath } from '../../core/text/path-names.js';
import { isAutoExecutedPath } from '../../core/text/sensitive-paths.js';
import { isFollowing } from '../parse/passed-words.js';
import type { CommandReading, CommandWord, SimpleCommand } from '../parse/simple-command.js';
import type { Arguments } from '../programs/arguments.js';
import { isOption } from '../programs/command-words.js';
import { addressProgram, isExecutedSetting, settingProgram } from '../programs/executed-settings.js';
import { enteredWords } from './entered-folders.js';
import { isPattern } from './name-patterns.js';
import { filesOf, type NamedFile, namedBy, namesIn } from './named-files.js';

/** Whether the file at a path is auto-executed. */
export type AutoExecutedTest = (path: string) => boolean;

/**
 * Describes the persistence of a command: code or settings that other programs load later. Undefined if no persistence
 * is known.
 */
export type PersistenceJudge = (command: SimpleCommand) => string | undefined;

const { maxFolders, maxLookups, maxWalks } = accessNumbers;
/** A pattern that may match a hidden file. */
const hiddenPattern = /(?:^|\/)(?:\.[^/*?[]*[*?[]|\[[^\]/]*\.|\?\(\.)/;
const tooMany =
  'it changes files in too many places to check, and other programs may load or run some of these files later';

/** The words of a `for` loop, and the words that `set --` assigns to the positional parameters. */
const loop = /\b(?:for\s+\w+\s+in|set\s+--)\s+([^;\n]+)/g;

/**
 * Returns a function that describes the persistence of each command of one line. `isOfWorkspace` tests for
 * auto-executed files other than the files of shells, logins, services and git.
 */
export function persistenceJudge(reading: CommandReading, isOfWorkspace: AutoExecutedTest): PersistenceJudge {
  const folders = foldersOf(enteredWords(reading.commands));
  const looped = [...reading.text.matchAll(loop)].map(([, words]) => words).join(' ');
  const judged = new Map<string, string | undefined>();
  /** The first auto-executed file that a text names. */
  const namedIn = (text: string, isGit: boolean) => {
    const key = `${isGit} ${text}`;
    const found = judged.has(key)
      ? judged.get(key)
      : firstNamed([...namesIn(text), ...(/^\S*[*?[]\S*$/.test(text) ? [text] : [])], isGit);
    judged.set(key, found);
    return found;
  };
  const known = new Map<string, boolean>();
  let patterns = 0;
  const hasLookupFor = (path: string) =>
    known.has(path) || (known.size < maxLookups && (!/[*?[]/.test(path) || ++patterns <= maxWalks));
  const persistentAt = (path: string) => {
    const isFixed = /^[/~]/.test(path);
    if (!isFixed && folders === undefined) return tooMany;
    for (const folder of isFixed ? [''] : (folders ?? [])) {
      const joined = folder === '' ? path : `${folder}/${path}`;
      if (!hasLookupFor(joined)) return tooMany;
      const answer = known.get(joined) ?? (isAutoExecuted(joined) || isOfWorkspace(joined));
      known.set(joined, answer);
      if (answer) return executedAt(path);
    }
    return undefined;
  };
  return (command) => {
    const isGit = command.read.name.startsWith('git ');
    const named = namedBy(command);
    // In quotes, the characters of a pattern are plain text (`'.[dev]'`).
    const words = named.unknown.map(({ kind, value }) => (kind === 'literal' ? value.replaceAll(/[*?[]/g, '') : value));
    // A program that is known only at run time may get any word of the line.
    const whole = command.argv[0]?.kind === 'computed' ? [reading.text] : [];
    const texts = [...named.texts, ...printedFor(command, looped), ...whole];
    return (
      describePersistence(command) ??
      executedAt(firstNamed(words, isGit)) ??
      first(texts, (text) => executedAt(namedIn(text, isGit))) ??
      first(changedPaths(command), persistentAt)
    );
  };
}

function isAutoExecuted(path: string): boolean {
  const plain = path.endsWith('/') ? `${normalPath(path)}/` : normalPath(path);
  return hiddenPattern.test(path) || isAutoExecutedPath(plain);
}

/** The first auto-executed file that a name may mean: the name itself, its folder, or a file inside. */
function firstNamed(names: readonly string[], isGit: boolean): string | undefined {
  return names
    .filter((name) => !(isGit && isRevision(name)))
    .flatMap((name) => [...inFolder(name), name.replace(/\/[^/]*$/, '')])
    .find(isAutoExecuted);
}

function executedAt(path: string | undefined): string | undefined {
  return path && `${path} is run or read by other programs later`;
}

function first<Item>(list: readonly Item[], judge: (item: Item) => string | undefined): string | undefined {
  for (const item of list) {
    const found = judge(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The folders that a relative path may start from: the start folder, and each folder that the line enters. Undefined if
 * there are too many folders, or if one is known only at run time.
 */
function foldersOf(entered: readonly CommandWord[]): readonly string[] | undefined {
  const folders = new Set(['']);
  for (const { kind, value: folder } of entered) {
    if (kind === 'computed') return undefined;
    for (const start of [...folders]) folders.add(start === '' || /^[/~]/.test(folder) ? folder : `${start}/${folder}`);
    if (folders.size > maxFolders) return undefined;
  }
  return [...folders];
}

const timed = 'the machine runs a command later or repeatedly';
const starts = 'the machine will start a program at every boot or login';
const gitSettings = 'git applies the settings from then on';

/** Calls that schedule a command, start a service or change settings; their words match `holds`, not `unless`. */
// biome-ignore format: a table
const services: readonly (readonly [programs: RegExp, why: string, holds: RegExp, unless?: RegExp])[] = [
  [/^(?:f|in)?crontab$|^at$|^batch$/, timed, /(?:)/, /(?<!\S)(?:-[lrTVdc]+u?|--help|--version)(?!\S)/],
  [/^schtasks$/, timed, /(?:)/],
  [/^systemd-run$/, timed, /(?<!\S)--(?:on|timer|path|socket)-/],
  [/^systemd-run$/, timed, /(?:)/, /(?<!\S)(?:--(?:scope|wait|pty|pipe|shell|help|version)|-[tSP])(?!\S)/],
  [/^git$/, timed, /^maintenance (?:start|register)/],
  [/^systemctl$/, starts, /(?<!\S)(?:(?:re)?enable|preset|link|edit|set-default|add-wants|add-requires|set-property|unmask|(?:set|import)-environment)(?![^\s-])/],
  [/^(?:docker|podman|nerdctl)$/, starts, /(?<!\S)--restart(?!=no(?!\S))/],
  [/^git$/, gitSettings, /^config (?:edit|rename-section)|^config .*(?<!\S)(?:-e|--edit|--rename-section)(?!\S)/],
  [/^git$/, gitSettings, /^(?:clone|init) .*(?<!\S)--templ/],
];

/** Describes the persistence of a call in `services`; undefined if no row matches. */
function describeServiceUse({ argv }: SimpleCommand, read: Arguments<CommandWord>): string | undefined {
  const [program = '', ...subcommands] = read.name.split(' ');
  const found = services.filter(([programs]) => programs.test(program));
  if (found.length === 0) return undefined;
  const own = argv.slice(1, read.started.find(({ at }) => at > 0)?.at).map(({ value }) => value);
  const operands = read.values.flatMap(({ option, word }) => (option === undefined ? [word.value] : []));
  const words = [...subcommands, ...operands, ...own.filter(isOption)].join(' ');
  const row = found.find(([, , holds, unless]) => holds.test(words) && unless?.test(words) !== true);
  return row && `${program}: ${row[1]}`;
}

const specialMode = /^(?:(?=\S*[+=][rwxXt]*s)[ugoarwxXst+=,-]+|[+=]?0*[2-7][0-7]{3})$/;

/** Describes the persistence of a command itself, apart from the files that it changes. */
function describePersistence(command: SimpleCommand): string | undefined {
  const { read } = command;
  const { name, program, effects, values } = read;
  const service = describeServiceUse(command, read);
  if (service !== undefined) return service;
  const modes = /^(?:g?install|chmod)$/.test(name) ? values.filter(({ kind }) => kind === 'text') : [];
  if (modes.some(({ word }) => specialMode.test(word.value)))
    return `${name}: others may run the file with the rights of its owner`;
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
  return `git runs or trusts the value of ${key} from then on`;
}

function persistedSetting({ values }: Arguments<CommandWord>): string | undefined {
  const operands = values.filter(({ option }) => option === undefined).map(({ word }) => word);
  // `git config` only reads a key if no value follows it. More words may follow at run time.
  const isMore = operands.some(isFollowing);
  const keys = isMore ? operands.slice(0, Math.max(1, operands.findIndex(isFollowing))) : operands.slice(0, -1);
  return first(keys, (key) => {
    const value = operands[operands.indexOf(key) + 1];
    if (key.kind === 'computed') return 'git config may name a program that git runs from then on';
    const known = value === undefined || value.kind === 'computed' ? undefined : value.value;
    return /\./.test(key.value) && isExecutedSetting(key.value, known) ? executedLater(key.value) : undefined;
  });
}

/** Programs that remove files. A removed file is not executed. */
const removers = /^(?:g?rm|rmdir|unlink|shred|srm|trash|git (?:rm|clean))$/;

/** The files and folders that a command changes. */
function changedPaths(command: SimpleCommand): readonly string[] {
  const { name, values } = command.read;
  const redirected = new Set(command.redirections.map(({ target }) => target?.text));
  const kept = filesOf(command).filter(
    (file) =>
      isEdited(name, file) && (!removers.test(name) || redirected.has(file.word.text)) && file.reach !== 'history',
  );
  const into = values.filter(({ kind }) => kind === 'intoPath');
  const isTree = ({ word, reach }: NamedFile) =>
    reach !== 'file' ||
    isPattern(word) ||
    name.startsWith('git ') ||
    into.some((each) => each.option !== undefined && each.word.value === word.value);
  return [
    ...kept.flatMap((file) => (isTree(file) ? inFolder(file.word.value) : [file.word.value])),
    ...into.map(({ word }) => `${word.value}/`),
    // A tree of unknown names in the home folder may replace the files that shells load.
    ...kept.flatMap(({ word, reach }) => (reach === 'new' && /^~(?:\/\.?)?$/.test(word.value) ? ['~/.bashrc'] : [])),
  ];
}

/**
 * Texts that may contain a changed path that is known only at run time: here-documents, the words of loops, and the
 * words of commands that may print the path into a pipe, a substitution or a search. Empty if all changed paths are
 * known.
 */
function printedFor(command: SimpleCommand, looped: string): readonly string[] {
  const { files, unknown } = namedBy(command);
  const changed = [...files.flatMap(({ kind, word }) => (kind === 'edit' ? [word] : [])), ...unknown];
  const open = changed.filter(({ kind }) => kind === 'computed');
  if (open.length === 0 || removers.test(command.read.name)) return [];
  const sources = [command, ...command.input, ...open.flatMap(({ runs }) => runs)];
  for (let each = command.wrapper; command.passed && each; each = each.wrapper) sources.push(each);
  const named = command.passed ? /^(?:unknown|path|readPath|command)$/ : /^(?:unknown|path)$/;
  const texts = sources.flatMap((source) => {
    const { program, values } = source.read;
    const isSearch = [...(program?.options.values() ?? [])].some(({ kind }) => kind === 'commandUntil');
    const isText = isSearch || program?.operands.every((kind) => kind === 'text');
    const words = values.filter(({ kind, option, word }) =>
      option === undefined
        ? (isText && kind === 'text') || ((isSearch || !isText) && named.test(kind))
        : kind === 'text' && program?.traits.has('expression') && !isExcluded(source, word),
    );
    return [...words.map(({ word }) => word.value), ...source.redirections.flatMap(({ body }) => body ?? [])];
  });
  return [...texts, looped];
}

/** Whether a search such as `find` excludes the files that match this word: it is negated, or `-prune` follows. */
function isExcluded({ argv }: SimpleCommand, word: CommandWord): boolean {
  const at = argv.indexOf(word);
  return /^(?:!|-not)$/.test(argv[at - 2]?.value ?? '') || argv[at + 1]?.value === '-prune';
}

/** A path, its folder, and names of auto-executed files if the folder is hidden. */
function inFolder(path: string): readonly string[] {
  const folder = path.replace(/\/(?:[^/]*[*?[][^/]*)?$/, '');
  const inside = /(?:^|\/)\.\w[\w.-]*$/.test(folder) ? ['settings.json', 'config', 'workflows/x'] : [];
  return [path, folder, `${folder}/`, ...inside.map((file) => `${folder}/${file}`)];
}

/** Whether a file counts as changed. A revision of git is not a file. */
function isEdited(name: string, { kind, word, from }: NamedFile): boolean {
  // A file such as `~/.bashrc` is auto-executed in the home folder, but not after it is copied into the working folder.
  const isCopy = from !== undefined && /^~\/\.[\w.-]+$/.test(from.value) && /^\w(?!.*(?:~|\.\.\/))/s.test(word.value);
  return kind === 'edit' && !isCopy && !(name.startsWith('git ') && isRevision(word.value));
}

function isRevision(word: string): boolean {
  return /(?:^|\/)HEAD$/.test(word);
}
