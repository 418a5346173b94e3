import { type Dirent, realpathSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import fastGlob, { type FileSystemAdapter } from 'fast-glob';
import { isInside } from '../../../core/paths/is-inside.js';
import { isKernelPath } from '../../paths/confinement.js';
import { VirtualFolders, virtualEntry } from '../../store/virtual-folders.js';
import type { SearchControl } from '../threads/search-control.js';
import { SearchFailure } from '../threads/search-failure.js';
import type { GlobJob, SearchMessage } from '../threads/search-job.js';
import { virtualIgnore, virtualIgnoreSource } from '../walk/ignore-source.js';
import { type DatedPath, fileAge, newestFirst } from '../walk/search-order.js';
import { globExpression } from './glob-expression.js';
import { globPattern, nameEndings } from './glob-pattern.js';
import { VisibleFolders } from './visible-folders.js';

const climbs = /(?:^|\/)\.\.(?:\/|$)/;

/** Finds files by a glob pattern. Blocks its thread until it is done or stopped. */
export function globInThread(job: GlobJob, control: SearchControl, send: (message: SearchMessage) => void): void {
  const rules = virtualIgnoreSource(job.ignore ?? virtualIgnore([]));
  const virtual =
    job.files === undefined
      ? undefined
      : new VirtualFolders({ files: job.files, rules, control, stallMs: job.stallMs });
  const folders = virtual ?? new VisibleFolders(control, job.stallMs);
  const dated: DatedPath[] = [];
  for (const path of findPaths(job, folders, control)) {
    const mtimeMs = virtual === undefined ? fileAge(path, job.roots) : virtual.age(path);
    if (mtimeMs !== undefined) dated.push({ path, mtimeMs });
  }
  // A slip in the pattern must not look like no files.
  if (dated.length === 0) globExpression(job.pattern);
  dated.sort(newestFirst);
  const paths = dated.slice(0, job.maxFiles).map(({ path }) => path);
  send({ type: 'paths', paths, total: dated.length, ignored: folders.ignored });
  send({ type: 'done', unreadable: folders.unreadable });
}

function findPaths(job: GlobJob, folders: VisibleFolders | VirtualFolders, control: SearchControl): Iterable<string> {
  const { patterns, exclude } = globPattern(job.pattern);
  const joined = job.files === undefined ? join : posix.join;
  const found = new Set<string>();
  control.enter(job.stallMs);
  for (const task of fastGlob.generateTasks([...patterns], { cwd: job.cwd, dot: true })) {
    const folder = startFolder(task.base, job);
    if (folder === undefined) continue;
    const inner = task.positive.map((pattern) => belowBase(pattern, task.base));
    // A walk only goes down, so behind a wildcard it would find nothing.
    if (inner.some((pattern) => climbs.test(pattern))) throw leavesRoots(job);
    const endings = nameEndings(inner);
    const named = namedFolders(inner);
    const list = (path: string): Dirent[] => onTheWay(path, job.within) ?? folders.list(path, endings, named);
    const options = {
      cwd: folder,
      ignore: [...exclude],
      // The paths of one walk differ, and those of several come together in a set.
      unique: false,
      dot: true,
      followSymbolicLinks: false,
      onlyFiles: true,
      suppressErrors: true,
      fs: {
        readdirSync: list,
        lstatSync: folders.stat,
        statSync: folders.stat,
      } as unknown as Partial<FileSystemAdapter>,
    };
    const base = folder.endsWith('/') ? folder : `${folder}/`;
    for (const path of fastGlob.sync(inner, options))
      found.add(folders.real(path.includes('./') ? joined(folder, path) : base + path));
  }
  control.leave();
  return found;
}

/** The part of a pattern behind the folders that it starts with; in the pattern they may be written with escapes. */
function belowBase(pattern: string, base: string): string {
  if (base === '.') return pattern;
  return pattern
    .split(/\/+/)
    .slice(base === '/' ? 1 : base.split(/\/+/).length)
    .join('/');
}

/** The names of folders that stand in patterns without wildcards: these are walked, ignored or not. */
function namedFolders(patterns: readonly string[]): ReadonlySet<string> {
  const segments = patterns.flatMap((pattern) => pattern.split('/').slice(0, -1));
  const literal = segments.filter((segment) => segment !== '' && !fastGlob.isDynamicPattern(segment));
  return new Set(literal.map((segment) => segment.replaceAll(/\\(.)/g, '$1')));
}

/** The canonical folder that a pattern starts in; undefined where there is none. */
function startFolder(base: string, job: GlobJob): string | undefined {
  const [resolvePath, platform] = job.files === undefined ? [resolve] : [posix.resolve, 'linux' as const];
  const lexical = resolvePath(job.cwd, base.replaceAll(/\\(.)/g, '$1'));
  // What else is below the folder above is somebody else's to find, or to refuse.
  if (job.within !== undefined && !isInside(lexical, [job.within], platform)) {
    return isInside(job.within, [lexical], platform) ? lexical : undefined;
  }
  if (job.files !== undefined) {
    if (!isInside(lexical, job.roots, platform)) throw leavesRoots(job);
    return lexical;
  }
  if (isKernelPath(lexical)) throw leavesRoots(job);
  let real: string;
  try {
    real = realpathSync.native(lexical);
  } catch {
    if (isInside(lexical, job.roots)) return undefined;
    throw leavesRoots(job);
  }
  if (!isInside(real, job.roots)) throw leavesRoots(job);
  return real;
}

/** The one entry of a folder above the one that is walked; undefined elsewhere. */
function onTheWay(path: string, within: string | undefined): Dirent[] | undefined {
  if (within === undefined || isInside(path, [within])) return undefined;
  const base = path.endsWith('/') ? path : `${path}/`;
  return within.startsWith(base) ? [virtualEntry(within.slice(base.length).split('/')[0] ?? '', 'directory')] : [];
}

function leavesRoots({ pattern, roots }: GlobJob): SearchFailure {
  return new SearchFailure(
    'path_outside_root',
    `The pattern leaves the workspace: ${pattern}. Search inside ${roots.join(' or ')}.`,
  );
}
