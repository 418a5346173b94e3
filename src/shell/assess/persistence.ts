import { accessNumbers } from '../../core/numbers.js';
import { normalPath } from '../../core/paths/normal-path.js';
import { isAutoExecutedPath } from '../../core/paths/sensitive-paths.js';
import { argumentsOf, isFollowing } from '../parse/arguments-of.js';
import type { CommandWord, SimpleCommand } from '../parse/simple-command.js';
import type { Arguments } from '../programs/arguments.js';
import { readArguments } from '../programs/read-arguments.js';
import { addressProgram, isExecutedSetting, settingProgram } from '../programs/setting-program.js';
import { isOption, literalWord } from '../words/command-word.js';
import { filesOfCommand, type NamedFile, piecesOf, typedTexts, unknownWordsOf, wordsIn } from './named-files.js';

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

/** Judges the commands of one line. `entered` are the folders that the line changes to. */
export function persistenceJudge(entered: readonly string[], isObeyed: AutoExecutedTest): PersistenceJudge {
  const folders = foldersOf(entered);
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
  return (command) => describePersistence(command) ?? first(changedPaths(command), persistentAt);
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
  // A key without a value only reads, unless the value follows.
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

/** The files and folders that a command changes or that a word of unknown role may name. */
function changedPaths(command: SimpleCommand): readonly string[] {
  const { name, program, values, effects } = argumentsOf(command);
  const redirected = new Set(command.redirections.map(({ target }) => target));
  const kept = filesOfCommand(command).filter(
    (file) => isEdited(name, file) && (!removers.test(name) || redirected.has(file.word)) && file.reach !== 'history',
  );
  const into = values.filter(({ kind }) => kind === 'intoPath');
  const folders = into.flatMap(({ word }) => pathsOf(word));
  const isTree = ({ word, reach }: NamedFile) =>
    reach !== 'file' ||
    name.startsWith('git ') ||
    into.some((each) => each.option !== undefined && each.word.value === word.value);
  const saved = effects.has('saves')
    ? values.flatMap(({ kind, word }) => (kind === 'url' ? [word.value.replace(/[?#].*$|^.*\//gs, '')] : []))
    : [];
  const cloned = /^git (?:clone|submodule add)$/.test(name)
    ? values.flatMap(({ kind, word }) =>
        kind === 'url' ? inFolder(word.value.replace(/(?:\.git)?\/*$|^.*[/:](?=.)/gs, '')) : [],
      )
    : [];
  const isOwn = program === undefined && !name.includes(' ');
  const unknown = unknownWordsOf(command)
    .flatMap((word) => [...piecesOf(word), ...behindColon(word)])
    .flatMap(pathsOf)
    .filter((value) => !(name.startsWith('git ') && isRevision(value)));
  return [
    ...kept.flatMap((file) => (isTree(file) ? pathsOf(file.word).flatMap(inFolder) : pathsOf(file.word))),
    ...folders.flatMap((folder) => [`${folder}/`, ...saved.map((file) => `${folder}/${file}`)]),
    ...kept.flatMap(({ word }) => (packed.test(word.value) ? [word.value.replace(packed, '')] : [])),
    ...values.flatMap(({ kind, word }) => (kind === 'code' ? writtenByScript(word.value) : [])),
    ...[
      ...saved,
      ...cloned,
      ...typedTexts(command).flatMap(wordsIn),
      ...(isOwn ? unknown : unknown.flatMap(inFolder)),
    ].filter((path) => isAutoExecutedPath(path)),
  ]
    .filter((path) => path !== '' && path !== '/')
    .map((path) => (path.endsWith('/') ? `${normalPath(path)}/` : normalPath(path)));
}

const alternatives = /(?<!\$)\{([^{}]*,[^{}]*)\}/;
const maxAlternatives = 64;

/** The paths that a word stands for, its braces expanded; patterns where these are sequences or too many. */
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

/** The name of a file that comes from another machine or a container (`host:path`). */
function behindColon(word: CommandWord): readonly CommandWord[] {
  const [, value] = /:(?:.*\/)?([^/:]+)$/s.exec(word.value) ?? [];
  return value === undefined ? [] : [{ ...word, value }];
}

/** A folder, and auto-executed files in hidden folders. */
function inFolder(path: string): readonly string[] {
  const inside = /(?:^|\/)\.\w[\w.-]*\/*$/.test(path) ? ['settings.json', 'config', 'workflows/x'] : [];
  return [path, `${path}/`, ...inside.map((file) => `${path}/${file}`)];
}

/** Git takes revisions where other programs take files. */
function isEdited(name: string, { kind, word, from }: NamedFile): boolean {
  // A file of the home folder that is copied into a folder below is not auto-executed there.
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

const timed = 'it is run again and again, or later, by the machine';
const starts = 'it is started by the machine or at a login from then on';
const accounts = 'it changes who may log in and what they run';
const settings = 'its settings apply to every later call';
const hooks = 'git runs what it installs';
const rights = 'others may run it with the rights of its owner';
const kernel = 'the kernel runs what it loads or names';
const agent = 'agents follow it from then on';
const git = 'git applies its settings from then on';

/**
 * Words that a call contains, and does not contain, when its program passes something on to a service or to later
 * calls.
 */
type Row = readonly [programs: string, why: string, holds?: string, unless?: string];

// biome-ignore format: a table
const rows: readonly Row[] = [
  ['crontab|fcrontab|incrontab|at|batch', timed, '', '(?<!\\S)(?:-[lrTVdc]+u?|--help|--version)(?!\\S)'],
  ['schtasks', timed],
  ['systemd-run', timed, '(?<!\\S)--(?:on|timer|path|socket)-'],
  ['systemd-run', timed, '', '(?<!\\S)(?:--(?:scope|wait|pty|pipe|shell|help|version)|-[tSP])(?!\\S)'],
  ['git', timed, '^maintenance (?:start|register)'],
  ['systemctl', starts,
    '(?<!\\S)(?:(?:re)?enable|preset|link|edit|set-default|add-wants|add-requires|set-property|unmask|(?:set|import)-environment)(?![^\\s-])'],
  ['loginctl', starts, '(?<!\\S)enable-linger'],
  ['launchctl', starts, '(?<!\\S)(?:load|bootstrap|enable|submit|setenv|config)(?!\\S)'],
  ['update-rc\\.d|chkconfig', starts, '', '(?<!\\S)--list'],
  ['rc-update', starts, '(?<!\\S)(?:add|-a)(?!\\S)'],
  ['pm2', starts, '^(?:startup|save)'],
  ['sc', starts, '^(?:create|config)(?!\\S)'],
  ['reg', starts, '^add'],
  ['brew', starts, '^services (?:re)?start'],
  ['docker|podman|nerdctl', starts, '(?<!\\S)--restart(?!=no(?!\\S))'],
  ['update-alternatives|alternatives', settings, '(?<!\\S)--(?:install|set|config|slave)'],
  ['chsh|usermod|useradd|adduser|groupmod|groupadd|gpasswd|chpasswd|newusers|vipw|vigr|passwd|visudo', accounts, '', '(?<!\\S)(?:-[hDScV]|--(?:status|check|help|version))(?!\\S)'],
  ['ssh-copy-id', accounts, '', '(?<!\\S)-[nh](?!\\S)'],
  ['setcap', rights, '', '(?<!\\S)(?:-[rv]|--help)'],
  ['modprobe|insmod|kldload|kextload|kmutil', kernel, '', '(?<!\\S)(?:-[rnDcV]|--(?:remove|dry-run|show-depends|help|version|showconfig))(?!\\S)'],
  ['sysctl', kernel, '(?:core_pattern|kernel[./]modprobe|hotplug|uevent_helper)='],
  ['setx', settings],
  ['defaults', settings, '^write'],
  ['npm|pnpm|yarn', settings, '^(?:(?:c|config) (?:set|edit)|set|pkg set)(?!\\S)'],
  ['go', settings, '^env .*(?<!\\S)-[wu](?!\\S)'],
  ['conda|mamba|micromamba', settings, '^config .*--(?:add|set|append|prepend|stdin)'],
  ['poetry|composer', settings, '^(?:global )?config (?!-)\\S+ (?!-)\\S'],
  ['pip|pip3|uv|bundle', settings, '^config (?:set|edit)'],
  ['gem', settings, '^sources? .*(?<!\\S)(?:-a|--add)(?!\\S)'],
  ['mise', settings, '^trust'],
  ['direnv', settings, '^(?:allow|permit|grant|edit)'],
  ['gh', settings, '^(?:alias (?:set|import)|config set|auth setup-git|extension install)'],
  ['code|code-insiders|codium|cursor|windsurf', settings, '(?<!\\S)--install-extension'],
  ['pre-commit|lefthook', hooks, '^(?:install|init-templatedir|add)'],
  ['husky', hooks, '', '^uninstall|(?<!\\S)--(?:version|help)'],
  ['pnpm|yarn', hooks, '^husky'],
  ['simple-git-hooks', hooks],
  ['claude|codex|gemini|qwen|cursor-agent|opencode|copilot', agent, '^(?:(?:mcp|plugin|extensions) (?:add|add-json|install|link)|config (?:set|add))(?!\\S)'],
  ['git', git, '^config (?:edit|rename-section)|^config .*(?<!\\S)(?:-e|--edit|--rename-section)(?!\\S)'],
  ['git', git, '^(?:clone|init) .*(?<!\\S)--templ'],
];
const services = rows.map(
  ([programs, why, holds = '', unless = '(?!)']) =>
    [new RegExp(`^(?:${programs})$`), why, new RegExp(holds), new RegExp(unless)] as const,
);

/** Why a service, a login or later calls use something that a command sets; undefined if it is not in the list. */
function describeServiceUse({ argv }: SimpleCommand, read: Arguments<CommandWord>): string | undefined {
  const [program = '', ...subcommands] = read.name.split(' ');
  const found = services.filter(([programs]) => programs.test(program));
  if (found.length === 0) return undefined;
  const own = argv.slice(1, read.started.find(({ at }) => at > 0)?.at).map(({ value }) => value);
  const operands = read.values.flatMap(({ option, word }) => (option === undefined ? [word.value] : []));
  const words = [...subcommands, ...operands, ...own.filter(isOption)].join(' ');
  const row = found.find(([, , holds, unless]) => holds.test(words) && !unless.test(words));
  return row && `${program}: ${row[1]}`;
}
