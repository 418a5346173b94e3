import { type Dirent, lstatSync, type readdirSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type fastGlob from 'fast-glob';
import { globPattern } from './glob-pattern.js';
import { VisibleFolders } from './glob-visible.js';
import type { SearchControl } from './search-control.js';
import { SearchFailure } from './search-failure.js';
import type { GlobJob, SearchMessage } from './search-job.js';
import { agesInside, type DatedPath, newestFirst } from './search-order.js';
import { isInside } from './search-start.js';

const require = createRequire(import.meta.url);

/** Finds files by a glob pattern. Blocks its thread until it is done or stopped. */
export function globInThread(job: GlobJob, control: SearchControl, send: (message: SearchMessage) => void): void {
  const folders = new VisibleFolders(control, job.stallMs);
  const ages = agesInside(job.roots);
  const dated: DatedPath[] = [];
  for (const path of findPaths(job, folders, control)) {
    const mtimeMs = ages(path);
    if (mtimeMs !== undefined) dated.push({ path, mtimeMs });
  }
  dated.sort(newestFirst);
  const paths = dated.slice(0, job.maxFiles).map(({ path }) => path);
  send({ type: 'paths', paths, total: dated.length, ignored: folders.ignored });
  send({ type: 'done', unreadable: folders.unreadable });
}

function findPaths(job: GlobJob, folders: VisibleFolders, control: SearchControl): Iterable<string> {
  const glob: typeof fastGlob = require('fast-glob');
  const { patterns, exclude } = globPattern(job.pattern, job.cwd);
  const found = new Set<string>();
  const list = (path: string): Dirent[] => folders.list(path);
  control.enter(job.stallMs);
  for (const task of glob.generateTasks([...patterns], { cwd: job.cwd, dot: true })) {
    const folder = startFolder(task.base, job);
    if (folder === undefined) continue;
    const inner = task.positive.map((pattern) => (task.base === '.' ? pattern : pattern.slice(task.base.length).replace(/^\/+/, '')));
    const options = {
      cwd: folder,
      ignore: [...exclude],
      absolute: true,
      dot: true,
      followSymbolicLinks: false,
      onlyFiles: true,
      suppressErrors: true,
      fs: { readdirSync: list as unknown as typeof readdirSync, lstatSync, statSync },
    };
    for (const path of glob.sync(inner, options)) found.add(path);
  }
  control.leave();
  return found;
}

/** The canonical folder that a pattern starts in; undefined where there is none. */
function startFolder(base: string, job: GlobJob): string | undefined {
  const lexical = resolve(job.cwd, base.replaceAll(/\\(.)/g, '$1'));
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

function leavesRoots({ pattern, roots }: GlobJob): SearchFailure {
  return new SearchFailure('path_outside_root', `The pattern leaves the workspace: ${pattern}. Search inside ${roots.join(' or ')}.`);
}
