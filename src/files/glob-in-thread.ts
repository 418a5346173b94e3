import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type fastGlob from 'fast-glob';
import { type IgnoreScope, isIgnored, parentScope, scopeInside } from './ignore-scope.js';
import type { SearchControl } from './search-control.js';
import type { GlobJob, SearchMessage } from './search-job.js';
import { type DatedPath, newestFirst } from './search-order.js';
import { isInside } from './search-start.js';
import { hasIgnoreFile } from './search-walk.js';

const require = createRequire(import.meta.url);

/** Finds files by glob patterns. Blocks its thread until it is done or stopped. */
export function globInThread(job: GlobJob, control: SearchControl, send: (message: SearchMessage) => void): void {
  const glob: typeof fastGlob = require('fast-glob');
  const folders = new VisibleFolders(job, control);
  control.enter(job.stallMs);
  const found = glob.sync([...job.patterns], {
    cwd: job.cwd,
    ignore: [...job.exclude],
    absolute: true,
    dot: true,
    followSymbolicLinks: false,
    onlyFiles: true,
    suppressErrors: true,
    fs: { readdirSync: folders.list as unknown as typeof readdirSync, lstatSync, statSync },
  });
  control.leave();
  const dated: DatedPath[] = [];
  for (const path of found) {
    const mtimeMs = ageInside(path, job.roots);
    if (mtimeMs !== undefined) dated.push({ path, mtimeMs });
  }
  dated.sort(newestFirst);
  const paths = dated.slice(0, job.maxFiles).map(({ path }) => path);
  send({ type: 'paths', paths, total: dated.length, ignored: folders.ignored });
  send({ type: 'done', unreadable: folders.unreadable });
}

function ageInside(path: string, roots: readonly string[]): number | undefined {
  try {
    const found = lstatSync(path);
    if (found.isFile()) return found.mtimeMs;
    if (!found.isSymbolicLink() || !isInside(realpathSync.native(path), roots)) return undefined;
    const target = statSync(path);
    return target.isFile() ? target.mtimeMs : undefined;
  } catch {
    return undefined;
  }
}

/** Folder listings without what `.gitignore` hides, without `.git`, and without links that lead to no file inside the roots. */
class VisibleFolders {
  ignored = 0;
  unreadable = 0;
  readonly #job: GlobJob;
  readonly #control: SearchControl;
  readonly #scopes = new Map<string, IgnoreScope>();

  constructor(job: GlobJob, control: SearchControl) {
    this.#job = job;
    this.#control = control;
  }

  readonly list = (path: string): Dirent[] => {
    this.#control.enter(this.#job.stallMs);
    if (this.#control.isStopped) return [];
    const entries = this.#read(path);
    const outer = this.#scopes.get(path) ?? parentScope(path);
    const scope = scopeInside(outer, path, hasIgnoreFile(entries));
    const base = path.endsWith('/') ? path : `${path}/`;
    this.#scopes.delete(path);
    return entries.filter((entry) => {
      const isDirectory = entry.isDirectory();
      if (entry.name === '.git') return false;
      if (isIgnored(scope, base + entry.name, entry.name, isDirectory)) {
        this.ignored++;
        return false;
      }
      if (isDirectory) this.#scopes.set(base + entry.name, scope);
      return true;
    });
  };

  #read(path: string): Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch {
      this.unreadable++;
      return [];
    }
  }
}
