import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { accessNumbers } from '../../core/numbers.js';
import { isInside } from '../../core/paths/is-inside.js';
import type { CommandPaths } from '../../core/tool.js';
import { enteredWords, filesOf, type NamedFile, scriptWords, unknownWords } from '../../shell/assess/named-files.js';
import type { CommandReading, CommandWord } from '../../shell/parse/simple-command.js';
import type { RuleMatch } from '../../shell/rules/match-command-rule.js';
import { namedPaths } from '../../shell/words/paths.js';
import { mayEndWith, mayOverlap } from './glob-overlap.js';
import type { PathMatcher } from './path-pattern.js';

/** The pattern of a path rule, compiled. */
export interface PathRule {
  readonly kinds: readonly NamedFile['kind'][];
  /** The glob, absolute. */
  readonly glob: string;
  readonly matches: PathMatcher;
}

const maxScriptWords = 1_000;
/** A walk through folders takes as many looks as lets a line have a few of them. */
const walkLooks = accessNumbers.maxLooks / accessNumbers.maxWalks;

/**
 * What is known of a line while its files are compared: the folders it may be in, where these are known, and what the
 * disk is still asked about.
 */
interface Line {
  readonly folders: readonly string[] | undefined;
  readonly starts: readonly string[];
  readonly places: CommandPlaces;
  /** The looks that each pattern of the line may take. */
  readonly maxPatternLooks: number;
  /** Takes so many looks from what the line has; false where it has no more. */
  readonly takes: (looks: number) => boolean;
}

/**
 * Whether a deny or ask rule for paths meets a file that a line names; `possible` where only running the line shows it.
 * A line has a fixed number of looks at the disk; files that are left then are possible.
 */
export function matchCommandFiles(rule: PathRule, reading: CommandReading, places: CommandPlaces): RuleMatch {
  const files = distinct(filesOf(reading).filter(({ kind }) => rule.kinds.includes(kind)));
  const line = lineOf(reading, places, files.filter(({ word }) => isPattern(word)).length);
  const hits = new Set(files.map((file) => matchFile(rule, file, line)));
  if (hits.has('yes')) return 'yes';
  if (hits.has('possible') || reading.problems.length > 0) return 'possible';
  const isMeant = (word: CommandWord) =>
    word.kind === 'literal' && matchFile(rule, { kind: 'read', word, reach: 'file' }, line) !== 'no';
  return unknownWords(reading).some(isMeant) || mayOpen(rule, reading, line) ? 'possible' : 'no';
}

/** Whether code of the line has the name of a file of the rule, or of a folder that such a file is in. */
function mayOpen(rule: PathRule, reading: CommandReading, { folders, starts }: Line): boolean {
  const names = scriptWords(reading);
  if (names.length > maxScriptWords) return true;
  return names.some((name) =>
    absolutePaths(name, folders ?? starts).some(
      (path) => rule.matches(path) || (name.endsWith('/') && mayOverlap(path, rule.glob, true)),
    ),
  );
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
  let left = accessNumbers.maxLooks;
  const takes = (looks: number) => {
    left -= looks;
    return left >= 0;
  };
  const shared = patterns * (folders ?? starts).length;
  return {
    folders,
    starts,
    places,
    maxPatternLooks: Math.floor((2 * accessNumbers.maxLooks) / Math.max(1, shared)),
    takes,
  };
}

function isPattern(word: CommandWord): boolean {
  return word.kind !== 'literal' && word.kind !== 'computed' && /[*?[]/.test(word.value);
}

function matchFile(rule: PathRule, file: NamedFile, line: Line): RuleMatch {
  const { word, reach } = file;
  if (reach === 'history') return matchHistory(rule, file, line);
  if (word.kind === 'computed') return mayMean(rule, /(?:^|\/)([\w.-]+)["']?$/.exec(word.text)?.[1]);
  const names = namedPaths(word.value);
  if (names === undefined) return 'possible';
  const folders = line.folders ?? line.starts;
  const paths = names.flatMap((name) => absolutePaths(name, folders));
  // A name that says it needs no look.
  if (paths.some((path) => rule.matches(path))) return 'yes';
  if (!line.takes(paths.length * (isPattern(word) ? walkLooks : 1))) return 'possible';
  if (!isPattern(word) && paths.some((path) => rule.matches(line.places.real(path)))) return 'yes';
  if (line.folders === undefined && !/^[/~]/.test(word.value)) return mayMean(rule, word.value.replace(/^.*\//s, ''));
  if (isPattern(word))
    return paths.some((path) => mayOverlap(path, rule.glob, reach !== 'file'))
      ? 'possible'
      : matchTargets(rule, paths, reach, line);
  return paths.some((path) => mayHold(rule, path, reach, line)) ? 'possible' : 'no';
}

/** Files that git tracks need not be on the disk. In another folder git may work on another repository. */
function matchHistory(
  rule: PathRule,
  { word, within = [] }: NamedFile,
  { folders, starts, places, takes }: Line,
): RuleMatch {
  if (folders === undefined) return 'possible';
  const isThere = (path: string) => takes(walkLooks) && (places.matched(path, walkLooks)?.length ?? 0) > 0;
  const isFile = (path: string) => /\.\w+$/.test(path) && isThere(path) && places.holds(path, () => true) === false;
  // Git takes a word for a path where a file of that name is there, and then every word after it.
  const limits = within.filter(({ value }) => absolutePaths(value, folders).every(isThere));
  const paths = (limits.length > 0 ? limits : [word]).flatMap(({ value }) => absolutePaths(value, folders));
  if (paths.some((path) => rule.matches(path))) return 'possible';
  if (!paths.some((path) => mayOverlap(path, rule.glob, true) && !isFile(path))) return 'no';
  const isOwn = starts.length === 1 && folders.length === 1;
  return isOwn && places.tracks(rule.matches) === false ? 'no' : 'possible';
}

/** What patterns stand for on the disk may be links, which lead where their names do not tell. */
function matchTargets(rule: PathRule, patterns: readonly string[], reach: Reach, line: Line): RuleMatch {
  const targets = patterns.map((pattern) => line.places.matched(pattern, line.maxPatternLooks));
  if (targets.some((paths) => paths?.some((path) => rule.matches(path)))) return 'yes';
  if (targets.includes(undefined)) return 'possible';
  return targets.some((paths) => paths?.some((path) => mayHold(rule, path, reach, line))) ? 'possible' : 'no';
}

function mayHold(rule: PathRule, folder: string, reach: Reach, { places, takes }: Line): boolean {
  if (reach === 'file' || !mayOverlap(folder, rule.glob, true)) return false;
  if (!takes(walkLooks)) return true;
  if (reach === 'folder' && places.matched(folder)?.length === 0) return false;
  return places.holds(folder, rule.matches) !== false;
}

/** Whether a file of this name, in a folder that is not known, may be one of those meant. */
function mayMean(rule: PathRule, name: string | undefined): RuleMatch {
  return name === undefined || name === '' || mayEndWith(name, rule.glob) ? 'possible' : 'no';
}

/** What is known of the folders that commands start in, in full. */
export interface CommandPlaces extends Omit<CommandPaths, PlaceName>, Required<Pick<CommandPaths, PlaceName>> {}

type PlaceName = 'folders' | 'isInside' | 'real' | 'matched' | 'holds' | 'tracks';

/** The places a target brings along, and what follows from the root alone for those that it does not. */
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
 * Whether every folder that a line works in is inside the workspace. Behind a link, `..` does not lead where its path
 * says.
 */
export function staysInside(reading: CommandReading, places: CommandPlaces): boolean {
  const words = enteredWords(reading);
  if (words.length === 0) return true;
  const isPlain = words.every(({ value }) => !/[^/.][^/]*\/(?:.*\/)?\.\.(?:\/|$)/.test(value));
  return isPlain && enteredFolders(reading, places)?.every(places.isInside) === true;
}

/** The absolute paths that a path of a line may mean, from each of the folders that it may be in. */
function absolutePaths(path: string, folders: readonly string[]): readonly string[] {
  const fromHome = path.replace(/^~\+(?=\/|$)/, '.').replace(/^~(?=\/|$)/, () => homedir());
  if (fromHome.startsWith('/')) return [resolve(fromHome)];
  return folders.map((folder) => resolve(folder, fromHome));
}

/**
 * The folders that a line may be in: each it may start in and each that it enters; undefined where these are too many
 * or only running it would tell.
 */
function enteredFolders(reading: CommandReading, places: CommandPlaces): readonly string[] | undefined {
  const folders = new Set(places.folders());
  const maxFolders = accessNumbers.maxFolders + folders.size;
  for (const word of enteredWords(reading)) {
    const { kind, value } = word;
    if (kind === 'computed' || kind === 'glob' || isPattern(word) || value === '-') return undefined;
    const entered = value.replace(/^~(?=\/|$)/, () => homedir());
    for (const folder of [...folders]) folders.add(resolve(folder, entered));
    if (folders.size > maxFolders) return undefined;
  }
  return [...folders];
}
