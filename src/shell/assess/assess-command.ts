import { accessNumbers } from '../../core/numbers.js';
import type { Risk } from '../../core/risk.js';
import type { CommandPaths, Target } from '../../core/tool.js';
import { type CommandLimits, defaultCommandLimits } from '../parse/command-limits.js';
import { readCommand } from '../parse/read-command.js';
import type { CommandReading, SimpleCommand } from '../parse/simple-command.js';
import { programName } from '../words/command-word.js';
import { mayLeaveFolder, memoized } from '../words/paths.js';
import { denyDestructiveFiles } from './deny-destructive-files.js';
import { denyDisk, denyForkBomb, denyForkBombs, denySystemControl } from './deny-machine.js';
import { denyDownloadedCode, denyEvalInjection, denyRemoteCode, denyReverseShell } from './deny-remote-code.js';
import { workingFolders } from './named-files.js';
import { type PersistenceJudge, persistenceJudge } from './persistence.js';
import { type Denial, type DenyCategory, type DenyRule, toPlain } from './plain-command.js';
import { doubtReadOnly, type PathKnowledge } from './read-only.js';

/** What a finding is about: a refused group, or why a command is not proven harmless. */
export type CommandReasonCategory =
  | DenyCategory
  | 'too-complex'
  | 'unparsable'
  | 'hidden-characters'
  | 'computed'
  | 'persistence'
  | 'not-proven';

/** One finding. `targets` are the paths a deletion is aimed at, as far as they are known. */
export interface CommandReason {
  readonly category: CommandReasonCategory;
  readonly text: string;
  readonly targets?: readonly string[];
}

/** What is known of a command line before it runs. */
export interface CommandAssessment {
  /** `deny`: blocked by the safety policy. `allow`: proven to only read. `ask`: everything else. */
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly risk: Risk;
  /** Every simple command at every depth, quoting decoded. */
  readonly commands: readonly { readonly argv: readonly string[]; readonly text: string }[];
  readonly reasons: readonly CommandReason[];
}

/** How strict the assessment is. */
export interface AssessOptions {
  /** The groups that are refused; the others ask. Default: all. */
  readonly deny?: readonly DenyCategory[];
  /**
   * Tells whether a deletion of whole folders may be asked about instead of refused; called with a target path as it
   * was written, `~` included, and only where the line neither changes the folder nor computes the path. Default:
   * never.
   */
  readonly allowRecursiveDelete?: (path: string) => boolean;
  /**
   * Tells whether a path, as it was written and relative to the folder the command starts in, is inside the folders a
   * command may read without asking; links count. Default: every relative path without `..`.
   */
  readonly isInside?: (path: string) => boolean;
  /**
   * Tells whether a folder with everything below it, or everything a pattern of file names stands for, holds nothing
   * secret, so that it may be searched without asking. Default: never.
   */
  readonly holdsNoSecrets?: (pathOrPattern: string) => boolean;
  /**
   * Tells whether other programs run or obey a file, by its path as it was written, so that a command which changes it
   * outlives itself. Beside the files of shells, logins, services and git, which are known. Default: no other.
   */
  readonly isObeyed?: (path: string) => boolean;
  /**
   * Tells whether git in a folder, as it was written, works on the workspace's own repository, and that names no program
   * which looking would run. Default: where the line does not change the folder.
   */
  readonly isOwnRepository?: (folder: string) => boolean;
  readonly limits?: CommandLimits;
}

const risks = { allow: 'low', ask: 'high', deny: 'critical' } as const satisfies Record<
  CommandAssessment['verdict'],
  Risk
>;
const maxReasons = 20;

/**
 * Judges a Bash command line by reading its syntax, without running it. Never throws, and takes bounded time for any
 * text. A seat belt against accidents and plain tricks; what must not happen at all belongs behind a sandbox.
 */
export function assessCommand(command: string, options: AssessOptions = {}): CommandAssessment {
  return assessReading(readCommand(String(command), options.limits ?? defaultCommandLimits), options);
}

/** As `assessCommand`, for a line that was already read. */
function assessReading(reading: CommandReading, options: AssessOptions = {}): CommandAssessment {
  const denied = reading.problems.filter((problem) => problem.category === 'too-complex');
  const dangers: CommandReason[] = [];
  const doubts: CommandReason[] = reading.problems.filter((problem) => problem.category !== 'too-complex');
  const { deny = denyCategories, isObeyed = () => false } = options;
  for (const denial of findLineDenials(reading.commands))
    (deny.includes(denial.category) ? dangers : doubts).push(denial);
  const known = pathKnowledge(reading, options);
  const folders = reading.commands.flatMap(workingFolders).map(({ value }) => value);
  const lasts = persistenceJudge([...known.entered, ...folders], isObeyed);
  for (const command of reading.commands) {
    for (const denial of findDenials(command))
      (isRefused(denial, command, reading, options) ? dangers : doubts).push(denial);
    const doubt = doubtOf(command, known, lasts);
    if (doubt) doubts.push(doubt);
  }
  if (reading.commands.length === 0 && reading.problems.length === 0 && reading.text.trim() !== '')
    doubts.push({ category: 'not-proven', text: 'it holds no command' });
  const refused = [...denied, ...dangers];
  const verdict = refused.length > 0 ? 'deny' : doubts.length > 0 ? 'ask' : 'allow';
  return {
    verdict,
    risk: risks[verdict],
    commands: reading.commands.map(({ argv, text }) => ({
      argv: argv.map((word) => (word.kind === 'computed' ? word.text : word.value)),
      text,
    })),
    reasons: unique(verdict === 'deny' ? refused : persistentFirst(doubts)),
  };
}

function isRefused(denial: Denial, command: SimpleCommand, reading: CommandReading, options: AssessOptions): boolean {
  const { deny = denyCategories, allowRecursiveDelete } = options;
  if (!deny.includes(denial.category)) return false;
  if (denial.category !== 'destructive-files' || !allowRecursiveDelete || !denial.targets?.length) return true;
  const moves = reading.commands.some((each) => /^(?:cd|pushd|popd|chroot)$/.test(programName(each.argv[0])));
  const written = command.argv.every((word) => word.kind === 'literal') && command.wrapper === undefined;
  return (
    moves || !written || reading.problems.length > 0 || !denial.targets.every((path) => allowRecursiveDelete(path))
  );
}

function pathKnowledge(reading: CommandReading, options: AssessOptions): PathKnowledge {
  const isInside = options.isInside && memoized(options.isInside, accessNumbers.maxLooks);
  const holdsNoSecrets = memoized(options.holdsNoSecrets ?? (() => false), accessNumbers.maxWalks);
  const moves = reading.commands.filter((command) => /^(?:cd|pushd)$/.test(command.argv[0]?.value ?? ''));
  const entered = moves.map(({ argv }) => argv.slice(1).find((word) => !/^-./.test(word.value))?.value ?? '');
  const functions = new Set(reading.commands.flatMap((command) => command.functions));
  const isOwnRepository = memoized(options.isOwnRepository ?? ((folder) => folder === '.'), accessNumbers.maxWalks);
  const shared = { entered, functions, isOwnRepository, isWorkspaceKnown: options.holdsNoSecrets !== undefined };
  if (!isInside) return { ...shared, isInside: (path) => !mayLeaveFolder(path), holdsNoSecrets };
  if (entered.length === 0) return { ...shared, isInside, holdsNoSecrets };
  const folder = entered.length === 1 ? entered[0] : undefined;
  const reached = (path: string) =>
    isInside(path) && (/^[/~\\]/.test(path) || (folder !== undefined && isInside(`${folder}/${path}`)));
  return {
    ...shared,
    isInside: (path) => (path === folder ? isInside(path) : reached(path)),
    holdsNoSecrets: () => false,
  };
}

function doubtOf(command: SimpleCommand, known: PathKnowledge, lasts: PersistenceJudge): CommandReason | undefined {
  const persistent = lasts(command);
  if (persistent !== undefined) return { category: 'persistence', text: persistent };
  const doubt = doubtReadOnly(command, known);
  if (doubt === undefined) return undefined;
  const computed = doubt === 'it is computed when it runs';
  return { category: computed ? 'computed' : 'not-proven', text: `${command.text.slice(0, 80)}: ${doubt}` };
}

/** Puts what outlives the command first, so that no number of other findings hides it. */
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

// Beside the target and not in it, since what is decided is plain data.
const knownPaths = new WeakMap<object, CommandPaths>();

/** A command line as permission rules see it, with what the workspace knows of the paths that it names. */
export function commandTarget(command: string, paths: CommandPaths | undefined): CommandTarget {
  const target: CommandTarget = { kind: 'command', command };
  if (paths !== undefined) knownPaths.set(target, paths);
  return target;
}

/** What is known of the paths of a command; undefined for a target that was made otherwise. */
export function knowledgeOf(target: CommandTarget): CommandPaths | undefined {
  return knownPaths.get(target);
}

const rules: readonly DenyRule[] = [
  denyDestructiveFiles,
  denyDisk,
  denySystemControl,
  denyForkBomb,
  denyRemoteCode,
  denyReverseShell,
  denyEvalInjection,
];

/** Every group of commands that is refused unless a host switches it off. */
const denyCategories: readonly DenyCategory[] = [
  'destructive-files',
  'disk',
  'system-control',
  'fork-bomb',
  'remote-code',
  'reverse-shell',
  'eval-injection',
];

/** What commands are refused for that do harm only together. */
function findLineDenials(commands: readonly SimpleCommand[]): readonly Denial[] {
  return [...denyForkBombs(commands), ...denyDownloadedCode(commands)];
}

/** What a single command is refused for; empty when no rule has anything against it. */
function findDenials(command: SimpleCommand): readonly Denial[] {
  const call = toPlain(command);
  return rules.flatMap((rule) => rule(call) ?? []);
}
