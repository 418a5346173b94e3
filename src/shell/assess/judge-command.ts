import type { Target } from '../../core/assessment.js';
import type { CommandPaths } from '../../core/command-path-facts.js';
import { accessNumbers } from '../../core/fixed-limits.js';
import type { Risk } from '../../core/risk.js';
import { normalPath } from '../../core/text/path-names.js';
import { type CommandLimits, defaultCommandLimits } from '../parse/command-limits.js';
import { readCommand } from '../parse/read-command.js';
import type { CommandReading, SimpleCommand } from '../parse/simple-command.js';
import { mayLeaveFolder, plainText } from '../programs/command-words.js';
import type { Denial, DenyCategory, DenyRule } from './denial.js';
import { denyDestructiveFiles } from './deny-destructive-deletions.js';
import { denyDisk, denyForkBomb, denyForkBombs, denySystemControl } from './deny-machine.js';
import { denyPossibleCommands } from './deny-possible-commands.js';
import { denyDownloadedCode, denyExecutedOutput, denyReverseShell } from './deny-remote-code.js';
import { changesFolder, enteredWords } from './entered-folders.js';
import { type PersistenceJudge, persistenceJudge } from './persistence.js';
import { doubtReadOnly, type PathKnowledge } from './read-only.js';

/** Category of a finding: a denied group of commands, or the reason why a command is not known to be read-only. */
export type CommandReasonCategory =
  | DenyCategory
  | 'too-complex'
  | 'unparsable'
  | 'hidden-characters'
  | 'computed'
  | 'persistence'
  | 'not-proven';

/** A finding. `targets` are the known target paths of a deletion. */
export interface CommandReason {
  readonly category: CommandReasonCategory;
  readonly text: string;
  readonly targets?: readonly string[];
}

/** The assessment of a command line before it runs. */
export interface CommandAssessment {
  /** `deny`: blocked by the safety policy. `allow`: known to be read-only. `ask`: everything else. */
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly risk: Risk;
  /** Every simple command at every depth, with its quoting decoded, and whether it is known to be read-only. */
  readonly commands: readonly {
    readonly argv: readonly string[];
    readonly text: string;
    readonly isReadOnly: boolean;
  }[];
  readonly reasons: readonly CommandReason[];
}

export interface AssessOptions
  extends Pick<
    CommandPaths,
    'isInside' | 'allowRecursiveDelete' | 'holdsNoSecrets' | 'isOwnRepository' | 'isAutoExecuted' | 'isObeyed'
  > {
  /**
   * The groups of commands that are denied. A command of a group that is not listed gets the verdict `ask`. Default:
   * all groups.
   */
  readonly deny?: readonly DenyCategory[];
  readonly limits?: CommandLimits;
}

const risks = { allow: 'low', ask: 'high', deny: 'critical' } as const satisfies Record<
  CommandAssessment['verdict'],
  Risk
>;
const maxReasons = 20;

/**
 * Assesses a Bash command line by its syntax, without running it. Never throws, and its time is bounded for any text.
 * The assessment protects against accidents and plain tricks. It is not a security boundary: use a sandbox for that.
 */
export function assessCommand(command: string, options: AssessOptions = {}): CommandAssessment {
  return assessReading(readCommand(String(command), options.limits ?? defaultCommandLimits), options);
}

function assessReading(reading: CommandReading, options: AssessOptions = {}): CommandAssessment {
  const denied = reading.problems.filter((problem) => problem.category === 'too-complex');
  const dangers: CommandReason[] = [];
  const doubts: CommandReason[] = reading.problems.filter((problem) => problem.category !== 'too-complex');
  const { deny = denyCategories, isObeyed = () => false, isAutoExecuted = isObeyed } = options;
  // Deny rules check the text after NFKC normalization, without invisible characters.
  const plain = plainText(reading.text);
  const { limits = defaultCommandLimits } = options;
  const judged = plain === reading.text ? reading : { ...readCommand(plain, limits), problems: reading.problems };
  for (const denial of findLineDenials(judged.commands))
    (deny.includes(denial.category) ? dangers : doubts).push(denial);
  for (const command of judged.commands)
    for (const denial of rules.flatMap((rule) => rule(command) ?? []))
      (isRefused(denial, command, judged, options) ? dangers : doubts).push(denial);
  const known = pathKnowledge(reading, options);
  const judgePersistence = persistenceJudge(reading, isAutoExecuted);
  const doubtful = reading.commands.map((command) => doubtOf(command, known, judgePersistence));
  doubts.push(...doubtful.flatMap((doubt) => doubt ?? []));
  if (reading.commands.length === 0 && reading.problems.length === 0 && reading.text.trim() !== '')
    doubts.push({ category: 'not-proven', text: 'it contains no command' });
  const refused = [...denied, ...dangers];
  const verdict = refused.length > 0 ? 'deny' : doubts.length > 0 ? 'ask' : 'allow';
  return {
    verdict,
    risk: risks[verdict],
    commands: reading.commands.map(({ argv, text }, index) => ({
      argv: argv.map((word) => (word.kind === 'computed' ? word.text : word.value)),
      text,
      isReadOnly: doubtful[index] === undefined,
    })),
    reasons: unique(verdict === 'deny' ? refused : persistentFirst(doubts)),
  };
}

function isRefused(denial: Denial, command: SimpleCommand, reading: CommandReading, options: AssessOptions): boolean {
  const { deny = denyCategories, allowRecursiveDelete } = options;
  if (!deny.includes(denial.category)) return false;
  if (denial.category !== 'destructive-files' || !allowRecursiveDelete || !denial.targets?.length) return true;
  const moves = reading.commands.some(({ name }) => /^(?:cd|pushd|popd|chroot)$/.test(name));
  const written = command.argv.every((word) => word.kind === 'literal') && command.wrapper === undefined;
  return (
    moves || !written || reading.problems.length > 0 || !denial.targets.every((path) => allowRecursiveDelete(path))
  );
}

function pathKnowledge(reading: CommandReading, options: AssessOptions): PathKnowledge {
  const isInside = options.isInside && memoized(options.isInside, accessNumbers.maxLookups);
  const holdsNoSecrets = memoized(options.holdsNoSecrets ?? (() => false), accessNumbers.maxWalks);
  const words = enteredWords(reading.commands.filter(({ read }) => changesFolder(read.name)));
  const entered = words.flatMap(({ value }) => [...inBothReadings(value)]);
  const functions = new Set(reading.commands.flatMap((command) => command.functions));
  const isOwnRepository = memoized(options.isOwnRepository ?? ((folder) => folder === '.'), accessNumbers.maxWalks);
  const shared = { entered, functions, isOwnRepository, isWorkspaceKnown: options.holdsNoSecrets !== undefined };
  if (!isInside) return { ...shared, isInside: (path) => !mayLeaveFolder(path), holdsNoSecrets };
  if (entered.length === 0) return { ...shared, isInside, holdsNoSecrets };
  const isKnown = words.length === 1 && words[0]?.kind !== 'computed';
  /** Whether a path passes the test in the start folder and in the folder that the line changes to. */
  const inBoth = (test: (path: string) => boolean) => (path: string) =>
    test(path) && (/^[/~\\]/.test(path) || (isKnown && entered.every((folder) => test(`${folder}/${path}`))));
  return { ...shared, isInside: inBoth(isInside), holdsNoSecrets: inBoth(holdsNoSecrets) };
}

/** The two meanings of `link/..`: for most programs the parent of the link target, for `cd` the parent of the link. */
function inBothReadings(path: string): ReadonlySet<string> {
  return new Set([path, normalPath(path) || '.']);
}

function doubtOf(
  command: SimpleCommand,
  known: PathKnowledge,
  judgePersistence: PersistenceJudge,
): CommandReason | undefined {
  const persistent = judgePersistence(command);
  if (persistent !== undefined) return { category: 'persistence', text: persistent };
  const doubt = doubtReadOnly(command, known);
  if (doubt === undefined) return undefined;
  const computed = doubt === 'it is only known at run time';
  return {
    category: computed ? 'computed' : 'not-proven',
    text: `${command.text.slice(0, 80).toWellFormed()}: ${doubt}`,
  };
}

/** Puts persistence findings first, so that other findings do not hide them. */
function persistentFirst(reasons: readonly CommandReason[]): readonly CommandReason[] {
  const persistent = reasons.filter((reason) => reason.category === 'persistence');
  return [...persistent, ...reasons.filter((reason) => reason.category !== 'persistence')];
}

function unique(reasons: readonly CommandReason[]): readonly CommandReason[] {
  return [...new Map(reasons.map((reason) => [`${reason.category} ${reason.text}`, reason])).values()].slice(
    0,
    maxReasons,
  );
}

type CommandTarget = Target & { readonly kind: 'command' };

/** The path facts and the assessment of a command target. They are in a weak map, because targets are plain data. */
interface Known {
  readonly paths?: CommandPaths | undefined;
  readonly assessment?: CommandAssessment | undefined;
}

const knownOf = new WeakMap<object, Known>();

/**
 * The target of a command line for permission rules, with the path facts and the assessment of its tool. If the host's
 * own assessment lacks fields, {@link assessmentOf} makes a new one.
 */
export function commandTarget(
  command: string,
  paths: CommandPaths | undefined,
  assessment: Pick<CommandAssessment, 'verdict'> | undefined,
): CommandTarget {
  const target: CommandTarget = { kind: 'command', command };
  const isWhole = assessment !== undefined && 'commands' in assessment;
  knownOf.set(target, { paths, assessment: isWhole ? (assessment as CommandAssessment) : undefined });
  return target;
}

/** The path facts of a target; undefined if {@link commandTarget} did not make it. */
export function pathKnowledgeOf(target: CommandTarget): CommandPaths | undefined {
  return knownOf.get(target)?.paths;
}

/** The assessment that the tool made of a target; without one, a new assessment. */
export function assessmentOf(target: CommandTarget): CommandAssessment {
  const { paths, assessment = assessCommand(target.command, paths) } = knownOf.get(target) ?? {};
  knownOf.set(target, { paths, assessment });
  return assessment;
}

const anywhere = { isInside: () => true, holdsNoSecrets: () => true, isOwnRepository: () => true };

/** Whether a command line is read-only. All files and folders count as safe to read. */
export function onlyReads(command: string): boolean {
  const { commands, problems } = readCommand(command);
  const functions = new Set(commands.flatMap((each) => each.functions));
  const known = { ...anywhere, functions, entered: [], isWorkspaceKnown: true };
  return problems.length === 0 && commands.every((each) => doubtReadOnly(each, known) === undefined);
}

const rules: readonly DenyRule[] = [
  denyDestructiveFiles,
  denyDisk,
  denySystemControl,
  denyForkBomb,
  denyExecutedOutput,
  denyReverseShell,
  denyPossibleCommands,
];

const denyCategories: readonly DenyCategory[] = [
  'destructive-files',
  'disk',
  'system-control',
  'fork-bomb',
  'remote-code',
  'reverse-shell',
  'eval-injection',
];

/** Denials of commands that are harmful only in combination. */
function findLineDenials(commands: readonly SimpleCommand[]): readonly Denial[] {
  return [...denyForkBombs(commands), ...denyDownloadedCode(commands)];
}

/** Caches a path test and limits it to `maxPaths` paths; the test is false for all further paths. */
function memoized(test: (path: string) => boolean, maxPaths: number): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const answer = known.get(path);
    if (answer !== undefined || known.size >= maxPaths) return answer === true;
    const found = test(path);
    known.set(path, found);
    return found;
  };
}
