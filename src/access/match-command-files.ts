import { filesOf, type NamedFile } from '../text/command/command-files.js';
import type { RuleMatch } from '../text/command/match-command-rule.js';
import type { CommandReading } from '../text/command/simple-command.js';
import { absolutePaths, type CommandPlaces, entersUnknown } from './command-places.js';
import { mayEndWith, mayOverlap } from './glob-overlap.js';
import type { PathMatcher } from './path-pattern.js';

/** The pattern of a path rule, compiled. */
export interface PathRule {
  readonly kinds: readonly NamedFile['kind'][];
  /** The glob, absolute. */
  readonly glob: string;
  readonly matches: PathMatcher;
}

/** Whether a deny or ask rule for paths meets a file that a line names; `possible` where only running the line shows it. */
export function matchCommandFiles(rule: PathRule, reading: CommandReading, places: CommandPlaces): RuleMatch {
  const files = filesOf(reading).filter(({ kind }) => rule.kinds.includes(kind));
  const hits = files.map((file) => matchFile(rule, file, reading, places));
  if (hits.includes('yes')) return 'yes';
  return hits.includes('possible') || reading.problems.length > 0 ? 'possible' : 'no';
}

function matchFile(rule: PathRule, { word, isTree }: NamedFile, reading: CommandReading, places: CommandPlaces): RuleMatch {
  if (word.kind === 'computed') return mayMean(rule, /(?:^|\/)([\w.-]+)["']?$/.exec(word.text)?.[1]);
  // An object of version control stands behind the name of a revision.
  const names = [word.value, word.value.replace(/^[^:/]*:/, '')];
  const paths = names.flatMap((name) => absolutePaths(name, reading, places));
  const isPattern = word.kind !== 'literal' && /[*?[]/.test(word.value);
  if (paths.some((path) => rule.matches(path) || (!isPattern && rule.matches(places.real(path))))) return 'yes';
  if (entersUnknown(reading) && !/^[/~]/.test(word.value)) return mayMean(rule, word.value.replace(/^.*\//s, ''));
  if (isPattern) return paths.some((path) => mayOverlap(path, rule.glob, isTree)) ? 'possible' : matchTargets(rule, paths, isTree, places);
  return isTree && paths.some((path) => mayHold(rule, path, places)) ? 'possible' : 'no';
}

/** What patterns stand for on the disk may be links, which lead where their names do not tell. */
function matchTargets(rule: PathRule, patterns: readonly string[], isTree: boolean, places: CommandPlaces): RuleMatch {
  const targets = patterns.map((pattern) => places.matched(pattern));
  if (targets.some((paths) => paths?.some((path) => rule.matches(path)))) return 'yes';
  if (targets.includes(undefined)) return 'possible';
  return isTree && targets.some((paths) => paths?.some((path) => mayHold(rule, path, places))) ? 'possible' : 'no';
}

function mayHold(rule: PathRule, folder: string, places: CommandPlaces): boolean {
  return mayOverlap(folder, rule.glob, true) && places.holds(folder, rule.matches) !== false;
}

/** Whether a file of this name, in a folder that is not known, may be one of those meant. */
function mayMean(rule: PathRule, name: string | undefined): RuleMatch {
  return name === undefined || name === '' || mayEndWith(name, rule.glob) ? 'possible' : 'no';
}
