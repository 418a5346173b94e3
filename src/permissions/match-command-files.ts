import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { CommandPaths } from '../core/command-path-facts.js';
import { accessNumbers } from '../core/fixed-limits.js';
import { isInside } from '../core/text/path-names.js';
import { enteredWords } from '../shell/assess/entered-folders.js';
import type { RuleMatch } from '../shell/assess/match-rule-words.js';
import { isPattern } from '../shell/assess/name-patterns.js';
import { type Named, type NamedFile, namedBy, namesIn, partsOf } from '../shell/assess/named-files.js';
import type { CommandReading } from '../shell/parse/simple-command.js';
import { isShell } from '../shell/parse/standard-input.js';
import { unknownVariables } from '../shell/parse/variable-roles.js';
import { namedPaths } from '../shell/programs/command-words.js';
import { mayEndWith, mayOverlap, type PathMatcher } from './path-pattern.js';

/** The pattern of a path rule, compiled. */
export interface PathRule {
  readonly kinds: readonly NamedFile['kind'][];
  /** The glob, absolute. */
  readonly glob: string;
  readonly matches: PathMatcher;
}

const maxScriptWords = 1_000;
/** A path such as `/proc/self/cwd` or `/dev/fd/3`, which leads to a different file in each process. */
const ofProcess = /^\/(?:proc\/.*\/(?:cwd|root|fd)|dev\/fd)(?:\/|$)/;
/** The glob of a rule that covers only hidden files, and files in hidden folders. */
const hiddenName = /\/\.[^/]*(?:\/\*\*)?$/;
/**
 * The maximum number of disk lookups in one walk through folders: a fraction of the budget of a command line, so that
 * the budget allows several walks.
 */
const walkLookups = accessNumbers.maxLookups / accessNumbers.maxWalks;

/**
 * The state of matching the files of a command line: the folders that the line may work in, and its remaining disk
 * lookups.
 */
interface Line {
  readonly folders: readonly string[] | undefined;
  readonly starts: readonly string[];
  readonly places: CommandPlaces;
  /** Whether patterns and searches of the line may also find hidden files. */
  readonly findsHidden: boolean;
  /** The maximum number of disk lookups for each pattern of the line. */
  readonly maxPatternLookups: number;
  /** Takes disk lookups from the budget of the line; false if the budget is used up. */
  readonly take: (lookups: number) => boolean;
}

/**
 * Whether a deny or ask rule for paths covers a file that a command line names; `possible` if the files are known only
 * when the line runs. A line has a budget of disk lookups; once it is used up, the remaining files are `possible`.
 */
export function matchCommandFiles(rule: PathRule, reading: CommandReading, places: CommandPlaces): RuleMatch {
  const named = reading.commands.map(namedBy);
  const files = distinct(named.flatMap((each) => each.files).filter(({ kind }) => rule.kinds.includes(kind)));
  const variables = reading.commands.flatMap(unknownVariables);
  const known = variables.filter(({ kind }) => kind !== 'computed');
  const words = [...named.flatMap(({ unknown }) => unknown), ...known.flatMap(partsOf)];
  const unknown = distinct(words.map((word) => ({ kind: 'read', word, reach: 'file' })));
  const line = lineOf(reading, places, [...files, ...unknown].filter(({ word }) => isPattern(word)).length);
  const hits = new Set(files.map((file) => matchFile(rule, file, line)));
  if (hits.has('yes')) return 'yes';
  if (hits.has('possible') || reading.problems.length > 0) return 'possible';
  const isMeant = (file: NamedFile) => matchFile(rule, file, line) !== 'no';
  return unknown.some(isMeant) || mayOpen(rule, named, line) ? 'possible' : 'no';
}

/** Whether code in the line contains the name of a file that the rule covers, or of a folder above such a file. */
function mayOpen(rule: PathRule, named: readonly Named[], { folders, starts }: Line): boolean {
  const names = [...new Set(named.flatMap(({ texts }) => texts.flatMap(namesIn)))];
  if (names.length > maxScriptWords) return true;
  return names.some((name) => {
    const isMeant = (path: string) => rule.matches(path) || (name.endsWith('/') && mayOverlap(path, rule.glob, true));
    const isPossible = isElsewhere(name, folders) && mayMean(rule, name) === 'possible';
    return isPossible || absolutePaths(name, folders ?? starts).some(isMeant);
  });
}

type Reach = NamedFile['reach'];

function distinct(files: readonly NamedFile[]): readonly NamedFile[] {
  return [
    ...new Map(
      files.map((file) => {
        const within = file.within?.map(({ value }) => value).join(' ') ?? '';
        return [`${file.word.kind} ${file.reach} ${file.word.value} ${file.word.text} ${within}`, file];
      }),
    ).values(),
  ];
}

function lineOf(reading: CommandReading, places: CommandPlaces, patterns: number): Line {
  const folders = enteredFolders(reading, places);
  const starts = places.folders();
  let left = accessNumbers.maxLookups;
  const take = (lookups: number) => {
    left -= lookups;
    return left >= 0;
  };
  const shared = patterns * (folders ?? starts).length;
  return {
    folders,
    starts,
    places,
    findsHidden: findsHidden(reading),
    maxPatternLookups: Math.floor((2 * accessNumbers.maxLookups) / Math.max(1, shared)),
    take,
  };
}

function matchFile(rule: PathRule, file: NamedFile, line: Line): RuleMatch {
  const { word } = file;
  if (file.reach === 'history') return matchHistory(rule, file, line);
  const visible = line.findsHidden || !hiddenName.test(rule.glob) ? 'tree' : 'file';
  const reach = file.reach === 'visible' ? visible : file.reach;
  // A computed word may become several words, each of them the path of any file.
  const names = word.kind === 'computed' ? undefined : namedPaths(word.value);
  if (names === undefined || (line.findsHidden && isPattern(word))) return 'possible';
  const folders = line.folders ?? line.starts;
  const given = names.flatMap((name) => startingPaths(name, folders));
  const paths = given.map((path) => resolve(path));
  // A match by name needs no disk lookup.
  if (paths.some((path) => rule.matches(path))) return 'yes';
  if (!line.take(paths.length * (isPattern(word) ? walkLookups : 1))) return 'possible';
  const real = isPattern(word) ? [] : given.map((path) => resolve(line.places.real(path)));
  if (real.some((path) => rule.matches(path))) return 'yes';
  if (isElsewhere(word.value, line.folders) || given.some((path) => ofProcess.test(path)))
    return reach === 'file' ? mayMean(rule, word.value) : 'possible';
  if (isPattern(word))
    return paths.some((path) => mayOverlap(path, rule.glob, reach !== 'file'))
      ? 'possible'
      : matchTargets(rule, given, reach, line);
  return [...new Set([...paths, ...real])].some((path) => mayHold(rule, path, reach, line)) ? 'possible' : 'no';
}

/**
 * Matches files in the history of git. Such files need not exist on the disk. If the command line changes the folder,
 * git may use a different repository.
 */
function matchHistory(
  rule: PathRule,
  { word, within = [] }: NamedFile,
  { folders, starts, places, take }: Line,
): RuleMatch {
  if (folders === undefined) return 'possible';
  const isThere = (path: string) => take(walkLookups) && (places.matched(path, walkLookups)?.length ?? 0) > 0;
  const isFile = (path: string) => /\.\w+$/.test(path) && isThere(path) && places.holds(path, () => true) === false;
  // Git treats a word as a path if a file with that name exists, and then treats all following words as paths too.
  const limits = within.filter(({ value }) => absolutePaths(value, folders).every(isThere));
  const paths = (limits.length > 0 ? limits : [word]).flatMap(({ value }) => absolutePaths(value, folders));
  if (paths.some((path) => rule.matches(path))) return 'possible';
  if (!paths.some((path) => mayOverlap(path, rule.glob, true) && !isFile(path))) return 'no';
  const isOwn = starts.length === 1 && folders.length === 1;
  return isOwn && places.tracks(rule.matches) === false ? 'no' : 'possible';
}

/**
 * Matches the rule with the files that the patterns match on the disk. A matched name may be a link to a file that the
 * rule covers.
 */
function matchTargets(rule: PathRule, patterns: readonly string[], reach: Reach, line: Line): RuleMatch {
  const targets = patterns.map((pattern) => line.places.matched(pattern, line.maxPatternLookups));
  if (targets.some((paths) => paths?.some((path) => rule.matches(path)))) return 'yes';
  if (targets.includes(undefined)) return 'possible';
  return targets.some((paths) => paths?.some((path) => mayHold(rule, path, reach, line))) ? 'possible' : 'no';
}

function mayHold(rule: PathRule, folder: string, reach: Reach, { places, take }: Line): boolean {
  if (reach === 'file' || !mayOverlap(folder, rule.glob, true)) return false;
  if (reach === 'new' || !take(walkLookups)) return true;
  if (reach === 'folder' && places.matched(folder)?.length === 0) return false;
  return places.holds(folder, rule.matches) !== false;
}

/** Whether the rule may cover a file whose folder is unknown and whose name is the last segment of this path. */
function mayMean(rule: PathRule, path: string): RuleMatch {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name === '' || mayEndWith(name, rule.glob) ? 'possible' : 'no';
}

/** Whether a line may set an option of the shell or of ripgrep, such as `dotglob`, to find hidden files. */
function findsHidden({ text, commands }: CommandReading): boolean {
  const isSet = commands.some(
    ({ name, read }) => /^(sh|set)opt$/.test(name) || (isShell(read) && read.options.has('-O')),
  );
  return isSet || /GLOBIGNORE|BASHOPTS|RIPGREP_/.test(text);
}

/** {@link CommandPaths} with every function present. */
export interface CommandPlaces extends Omit<CommandPaths, PlaceName>, Required<Pick<CommandPaths, PlaceName>> {}

type PlaceName = 'folders' | 'isInside' | 'real' | 'matched' | 'holds' | 'tracks';

/** The path functions of a target. Defaults that know only the root replace missing functions. */
export function placesOf(paths: CommandPaths | undefined, root: string): CommandPlaces {
  return {
    folders: () => [root],
    isInside: (path) => isInside(resolve(root, path), [root]),
    real: (path) => path,
    matched: () => [],
    holds: () => undefined,
    tracks: () => undefined,
    ...paths,
  };
}

/**
 * Whether every folder that a line works in is inside the workspace. Programs resolve `link/..` to the parent of
 * the link's target, so a path with `..` after a name counts as outside.
 */
export function staysInside(reading: CommandReading, places: CommandPlaces): boolean {
  const words = enteredWords(reading.commands);
  if (words.length === 0) return true;
  const isPlain = words.every(({ value }) => !/[^/.][^/]*\/(?:.*\/)?\.\.(?:\/|$)/.test(value));
  return isPlain && enteredFolders(reading, places)?.every(places.isInside) === true;
}

/** The absolute paths that a path of a line may mean, if no folder is a link. */
function absolutePaths(path: string, folders: readonly string[]): readonly string[] {
  return startingPaths(path, folders).map((each) => resolve(each));
}

/**
 * Joins a path in a line to each folder that the line may work in. `..` is not resolved here: for `link/..`, most
 * programs use the parent of the link's target, but `cd` uses the parent of the link.
 */
function startingPaths(path: string, folders: readonly string[]): readonly string[] {
  const fromHome = path.replace(/^~(?=\/|$)/, () => homedir());
  return fromHome.startsWith('/') ? [fromHome] : folders.map((folder) => `${folder}/${fromHome}`);
}

/** Whether the folder of a path is known only when the line runs: `~user`, `~-`, or an unknown working directory. */
function isElsewhere(path: string, folders: readonly string[] | undefined): boolean {
  return /^~[^/]/.test(path) || (folders === undefined && !/^[/~]/.test(path));
}

/**
 * The folders that a line may work in: the folders in which it may start, and the folders that it enters. Undefined if
 * there are too many, or if they are known only when the line runs.
 */
export function enteredFolders(reading: CommandReading, places: CommandPlaces): readonly string[] | undefined {
  const folders = new Set(places.folders());
  const maxFolders = accessNumbers.maxFolders + folders.size;
  let lookups = 0;
  for (const word of enteredWords(reading.commands)) {
    const { kind, value } = word;
    if (kind === 'computed' || kind === 'glob' || isPattern(word) || /^-$|^~[^/]/.test(value)) return undefined;
    for (const path of startingPaths(value, [...folders])) {
      folders.add(resolve(path));
      if (!/(?:^|\/)\.\.(?:\/|$)/.test(value)) continue;
      folders.add(resolve(places.real(path)));
      if (++lookups > accessNumbers.maxLookups) return undefined;
    }
    if (folders.size > maxFolders) return undefined;
  }
  return [...folders];
}
