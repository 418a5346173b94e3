import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, normalize, relative, resolve } from 'node:path';
import type { CommandPaths } from '../../core/command-path-facts.js';
import { accessNumbers, shellNumbers } from '../../core/fixed-limits.js';
import { ifPossible } from '../../core/support/check-values.js';
import { shellMatcher } from '../../core/text/glob-matcher.js';
import { isAutoExecutedPath, isSecretPath } from '../../core/text/sensitive-paths.js';
import { assessCommand, type CommandAssessment } from '../assess/judge-command.js';
import { mayLeaveFolder, namedPaths } from '../programs/command-words.js';
import { findsBelow, holdsNoSecrets } from './folder-secrets.js';
import { GitRepositories, safeGitEnv } from './git-repository.js';

/** The part of the disk that commands and tools share. */
interface SharedDisk {
  /** The folders inside which the tools work. */
  readonly roots: readonly string[];
  /** Whether a path leads into one of the roots; `below` excludes the roots themselves. */
  contains(path: string, where?: 'at or below' | 'below'): boolean;
}

interface CommandPathsOptions {
  /** The root folder of the tools' files. */
  readonly root: string;
  /** The disk. Undefined if the tools do not work on the disk. */
  readonly disk: SharedDisk | undefined;
  /** Whether the user may be asked about a recursive deletion inside the roots. Default false. */
  readonly allowRecursiveDelete?: boolean | undefined;
  /** The working directories that sessions have changed to with `cd`; the root is always included. */
  readonly folders?: () => readonly string[];
  /** Whether a rule forbids reading an absolute path without asking. Default: no path is hidden. */
  readonly isHidden?: (path: string) => boolean;
}

/**
 * Answers questions about the paths of a command, for one workspace. A path inside the roots may be read without asking
 * if its name suggests no secret and no rule hides it. A relative path must be inside the roots from each possible
 * working directory.
 */
export function commandPaths({
  root,
  disk,
  allowRecursiveDelete = false,
  folders = () => [],
  isHidden = () => false,
}: CommandPathsOptions): CommandPaths {
  const repositories = new GitRepositories();
  const repository = () => repositories.in(realPath(root));
  const starts = () => [root, ...folders()];
  const roots = () => disk?.roots ?? [root];
  // `~user` is the home folder of another user, and `~-` is the previous working directory.
  const everywhere = (path: string, isSo: (absolute: string) => boolean) =>
    !atHome(path).startsWith('~') && startingPaths(path, starts()).every(isSo);
  const isShown = (path: string) => {
    const real = realPath(path);
    return (
      !isHidden(resolve(path)) &&
      !isHidden(real) &&
      !(disk !== undefined && isSecretPath(relative(realPath(root), real)))
    );
  };
  const places: CommandPaths = {
    folders: starts,
    real: disk === undefined ? (path) => resolve(path) : realPath,
    matched: (pattern, maxLookups = shellNumbers.maxSearchedEntries) =>
      disk === undefined ? [] : matchedPaths(pattern, maxLookups),
    holds: (folder, test) =>
      disk === undefined ? undefined : findsBelow(folder, test, shellNumbers.maxSearchedEntries),
    tracks: (test) => (disk === undefined ? undefined : repository().trackedPaths()?.some(test)),
    isInside: (path) =>
      (disk === undefined ? !mayLeaveFolder(path) : everywhere(path, (absolute) => isContained(absolute, disk))) &&
      namedPaths(path)?.every((each) => everywhere(each, isShown)) === true,
    isAutoExecuted: (path) =>
      startingPaths(path, starts()).some(
        (absolute) =>
          isAutoExecutedPath(normalize(absolute), roots()) ||
          (disk !== undefined &&
            (leadsToAutoExecuted(absolute, roots()) || repositories.loadsOrRuns(realPath(absolute), roots()))),
      ),
    isOwnRepository: (folder) =>
      disk === undefined
        ? folder === '.'
        : everywhere(folder, (absolute) => repository().runsNoHooksIn(realPath(absolute))),
    holdsNoSecrets: (path) =>
      disk !== undefined &&
      !path.startsWith('~') &&
      starts().every((folder) => holdsNoSecrets(path, folder, shellNumbers.maxSearchedEntries, isHidden)),
  };
  if (disk === undefined || !allowRecursiveDelete) return places;
  return {
    ...places,
    allowRecursiveDelete: (path) => everywhere(path, (absolute) => disk.contains(absolute, 'below')),
  };
}

/** An assessment, with environment variables for a command that was proven read-only. */
export interface JudgedCommand extends CommandAssessment {
  readonly env?: Readonly<Record<string, string>>;
}

/** Assesses commands with the knowledge of {@link commandPaths}. */
export function commandPolicy(paths: CommandPaths): (command: string) => JudgedCommand {
  return (command) => {
    const assessment = assessCommand(command, paths);
    const isGit = assessment.verdict === 'allow' && assessment.commands.some(({ argv }) => argv[0] === 'git');
    return isGit ? { ...assessment, env: safeGitEnv } : assessment;
  };
}

/**
 * The absolute paths that a path may mean, one for each possible working directory. `..` is kept, because its meaning
 * depends on symlinks.
 */
function startingPaths(path: string, folders: readonly string[]): readonly string[] {
  const fromHome = atHome(path);
  return fromHome.startsWith('/') ? [fromHome] : folders.map((folder) => `${folder}/${fromHome}`);
}

function atHome(path: string): string {
  return path.replace(/^~(?=\/|$)/, homedir);
}

/** Whether a path leads into the roots. All matches of a pattern must lead there too. */
function isContained(path: string, disk: SharedDisk): boolean {
  const targets = /[*?[]/.test(path) ? matchedPaths(path, accessNumbers.maxPatternLookups) : [];
  return targets !== undefined && [path, ...targets].every((each) => disk.contains(each));
}

function leadsToAutoExecuted(path: string, roots: readonly string[]): boolean {
  if (path.length > accessNumbers.maxPathChars) return true;
  const targets = /[*?[]/.test(path) ? matchedPaths(path, accessNumbers.maxPatternLookups) : [];
  const real = path.endsWith('/') ? `${realPath(path)}/` : realPath(path);
  return targets === undefined || [real, ...targets].some((each) => isAutoExecutedPath(each, roots));
}

/**
 * Follows symbolic links as the operating system does: `..` after a link is the parent of its target. Dangling links
 * are followed too, because a program would create a file at their target. No link is followed in an overlong path, or
 * if there are too many links.
 */
function realPath(path: string): string {
  if (path.length > accessNumbers.maxPathChars) return resolve(path);
  const pending = path.split('/').reverse();
  let real = '/';
  let links = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const next = join(real, name);
    const target = linkTarget(next);
    if (target === undefined) real = next;
    else if (++links > accessNumbers.maxLinks) return resolve(path);
    else {
      if (target.startsWith('/')) real = '/';
      pending.push(...target.split('/').reverse());
    }
  }
  return real;
}

function linkTarget(path: string): string | undefined {
  return ifPossible(() =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined,
  );
}

/**
 * The real paths that an absolute shell pattern matches now. Symlinks are followed; dangling links match nothing.
 * Undefined after more than `maxLookups` lookups of folders and names; a large folder counts as several lookups. Never
 * throws: an unreadable folder is empty.
 */
export function matchedPaths(pattern: string, maxLookups: number): readonly string[] | undefined {
  let folders: readonly string[] = ['/'];
  let lookups = 0;
  for (const segment of pattern.split('/').filter((part) => part !== '' && part !== '.')) {
    const found = new Set<string>();
    const isNamed = namedBy(segment);
    for (const folder of folders) {
      if (++lookups > maxLookups) return undefined;
      const entries = isNamed === undefined ? [undefined] : entriesOf(folder);
      lookups += Math.floor(entries.length / accessNumbers.namesPerLookup);
      for (const entry of entries) {
        if (entry !== undefined && isNamed?.(entry.name) !== true) continue;
        if (entry?.isSymbolicLink() === true && ++lookups > maxLookups) return undefined;
        const path = join(folder, entry?.name ?? segment);
        const real = entry === undefined || entry.isSymbolicLink() ? ifPossible(() => realpathSync(path)) : path;
        if (real !== undefined) found.add(real);
      }
    }
    folders = [...found];
  }
  return folders;
}

/** A test for the names that match a segment; undefined for a segment without a pattern. */
function namedBy(segment: string): ((name: string) => boolean) | undefined {
  if (!/[*?[]/.test(segment)) return undefined;
  const isMatch = shellMatcher(segment);
  // A shell reads a pattern without matches, such as `[id]`, as a literal name.
  return (name) => name === segment || isMatch(name);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch {
    return [];
  }
}
