import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CallScope } from '../core/context.js';
import { defaultLimits, type Limits } from '../core/limits.js';
import { assertNeeded, ifPossible } from '../core/support/check-values.js';
import { once } from '../core/support/once.js';
import { errorCode } from '../core/support/os-error-code.js';
import { KeyQueue } from '../core/support/serial-queue.js';
import type {
  ContentChange,
  FileEntry,
  FileStat,
  FileSystem,
  FileUpdate,
  GlobQuery,
  GlobResult,
  GrepQuery,
  GrepResult,
  OpenFile,
} from '../ports/file-system.js';
import { listDirectory, notFolder, removeEmptyFolder, removeFile } from './disk/folders.js';
import { HardLinks } from './disk/hard-links.js';
import { fileStat, openFile, openRegular } from './disk/open-file.js';
import { type Disk, nodeDisk } from './disk/system-calls.js';
import { AbandonedFiles } from './disk/temporary-files.js';
import { updateFile, updateUntilFirst } from './disk/update-file.js';
import { exclusionTest, hiddenFile, hideBytes } from './mounts/hidden-files.js';
import { alikePath, canonicalRoot, confine } from './paths/confinement.js';
import { fileNotFound } from './paths/file-not-found.js';
import { storageError } from './paths/storage-error.js';
import { absolutePath, refuseFolderPath } from './paths/syntax.js';
import type { SearchLimits } from './search/engines.js';
import { SearchEngines, type SearchEnginesOptions } from './search/engines.js';

/** Options of {@link HostFiles}. */
export interface HostFilesOptions extends SearchEnginesOptions {
  /** Absolute existing folder. */
  readonly root: string;
  /** Additional folders that are served like the root. */
  readonly additionalRoots?: readonly string[];
  /** Returns read-only canonical folders. Called for each access, since a folder may be created later. */
  readonly readOnlyRoots?: () => readonly string[];
  /** Whether a relative path is refused (default) or resolved from the root. */
  readonly relativePaths?: 'reject' | 'resolve';
  /** Default: the limits of the toolkit that uses these files, or else `defaultLimits`. */
  readonly limits?: Pick<Limits, 'glob' | 'grep'>;
  /** Whether the content of the file at a canonical path is hidden: it is not read, searched or edited. */
  readonly isHidden?: (path: string) => boolean;
  /** Whether lists and Grep leave out a canonical path although it is not hidden. */
  readonly isUnsearchable?: (path: string) => boolean;
  /** Default: the disk of this machine. */
  readonly disk?: Disk;
}

type Access = 'read' | 'write' | 'walk';
type QueryLimits = { readonly [Search in keyof SearchLimits]?: SearchLimits[Search] | undefined };

/** The files of this machine, confined to the roots; see {@link HostFiles}. */
export function hostFiles(options: HostFilesOptions): HostFiles {
  return new HostFiles(options);
}

/** The files of this machine, confined to the roots. Throws a TypeError for a root that is not an absolute folder. */
export class HostFiles implements FileSystem, AsyncDisposable {
  readonly root: string;
  readonly #roots: string[];
  readonly #options: HostFilesOptions;
  readonly #disk: Disk;
  readonly #abandoned: AbandonedFiles;
  readonly #hardLinks = new HardLinks();
  readonly #queue = new KeyQueue();
  readonly #engines: SearchEngines;
  readonly #globbing = once(() => import('./search/glob-files.js'));
  readonly #grepping = once(() => import('./search/grep-files.js'));

  constructor(options: HostFilesOptions) {
    assertNeeded('hostFiles', options, 'root');
    this.root = canonicalRoot(options.root, 'root');
    this.#roots = [this.root, ...(options.additionalRoots ?? []).map((root) => canonicalRoot(root, 'additionalRoots'))];
    this.#options = options;
    this.#disk = options.disk ?? nodeDisk;
    this.#abandoned = new AbandonedFiles(this.#disk);
    this.#engines = new SearchEngines(options);
  }

  get roots(): readonly string[] {
    return this.#roots;
  }

  /** Adds a root. */
  addRoot(root: string): void {
    this.#roots.push(canonicalRoot(root, 'root'));
  }

  /** Whether a path, relative to the root or absolute, leads into a root. `below` excludes the roots themselves. */
  contains(path: string, where: 'at or below' | 'below' = 'at or below'): boolean {
    const form = { root: this.root, relativePaths: 'resolve', platform: process.platform } as const;
    const canonical = ifPossible(() => confine(absolutePath(path, form), this.#roots));
    return canonical !== undefined && (where === 'at or below' || !this.#roots.includes(canonical));
  }

  async resolve(path: string, scope: CallScope, spelling?: 'exact'): Promise<string> {
    return this.#locate(path, 'read', scope, spelling);
  }

  async stat(path: string, scope: CallScope): Promise<FileStat | undefined> {
    const canonical = this.#locate(path, 'read', scope);
    return this.#withStorageErrors(canonical, () => {
      const stats = this.#disk.statLink(canonical);
      return stats === undefined ? undefined : fileStat(canonical, stats);
    });
  }

  async open(path: string, scope: CallScope): Promise<OpenFile> {
    const canonical = this.#locate(path, 'read', scope);
    if (this.#options.isHidden?.(canonical) === true) throw hiddenFile(canonical);
    refuseFolderPath(path);
    return this.#withStorageErrors(canonical, () =>
      openFile(openRegular(canonical, this.#rootsFor('read'), this.#disk), canonical, this.#disk),
    );
  }

  async update(
    path: string,
    change: ContentChange,
    scope: CallScope,
    spelling?: 'exact',
  ): Promise<FileUpdate | undefined> {
    const key = this.#locate(path, 'write', scope, spelling);
    return this.#queue.run(key, () => updateUntilFirst(() => this.#updateOnce(path, change, scope, spelling)));
  }

  async remove(path: string, scope: CallScope): Promise<boolean> {
    const key = this.#locate(path, 'write', scope);
    return this.#queue.run(key, async () => {
      const canonical = this.#locate(path, 'write', scope);
      refuseFolderPath(path);
      return this.#withStorageErrors(canonical, () => removeFile(canonical, this.#roots, this.#disk));
    });
  }

  async removeFolder(path: string, scope: CallScope): Promise<boolean> {
    const canonical = this.#locate(path, 'write', scope);
    if (this.#roots.includes(canonical)) return false;
    return this.#withStorageErrors(canonical, () => removeEmptyFolder(canonical, this.#roots, this.#disk));
  }

  async list(path: string, scope: CallScope): Promise<readonly FileEntry[]> {
    const canonical = this.#locate(path, 'read', scope);
    const entries = await this.#withStorageErrors(canonical, () =>
      listDirectory(canonical, this.#rootsFor('read'), this.#disk),
    );
    const isExcluded = exclusionTest(this.#options);
    return isExcluded === undefined ? entries : entries.filter(({ name }) => !isExcluded(join(canonical, name)));
  }

  async glob(query: GlobQuery, scope: CallScope): Promise<GlobResult> {
    const path = query.path === undefined ? this.root : this.#locate(query.path, 'walk', scope);
    if (this.#disk.statLink(path)?.isFile() === true) throw notFolder(path);
    const { globFiles } = await this.#globbing();
    return globFiles(this.#searchOptions(this.#roots, { glob: query.limits }), { ...query, path }, scope);
  }

  async grep(query: GrepQuery, scope: CallScope): Promise<GrepResult> {
    const path = query.path === undefined ? this.root : this.#locate(query.path, 'read', scope);
    if (query.path !== undefined && this.#disk.statLink(path)?.isFile() === true) refuseFolderPath(query.path);
    const { grepFiles } = await this.#grepping();
    return grepFiles(this.#searchOptions(this.#rootsFor('read'), { grep: query.limits }), { ...query, path }, scope);
  }

  /** Ends the running searches. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engines.dispose();
  }

  async #updateOnce(
    path: string,
    change: ContentChange,
    scope: CallScope,
    spelling?: 'exact',
  ): Promise<FileUpdate | undefined> {
    // Resolved again: while the update waited in the queue, a link may have redirected the path (TOCTOU).
    const canonical = this.#locate(path, 'write', scope, spelling);
    refuseFolderPath(path);
    const settings = {
      roots: this.#roots,
      disk: this.#disk,
      abandoned: this.#abandoned,
      hardLinks: this.#hardLinks,
      signal: scope.signal,
    };
    const { isHidden } = this.#options;
    const guarded: ContentChange =
      isHidden === undefined ? change : (current) => change(current && hideBytes(current, isHidden));
    return this.#withStorageErrors(canonical, () => updateFile(canonical, guarded, settings));
  }

  #locate(path: string, access: Access, scope: CallScope, spelling?: 'exact'): string {
    scope.signal.throwIfAborted();
    const { relativePaths = 'reject', isHidden } = this.#options;
    const mayBeSuggested = (at: string) => this.contains(at) && existsSync(at) && isHidden?.(at) !== true;
    const form = {
      root: this.root,
      relativePaths,
      platform: process.platform,
      mayBeSuggested,
      isNew: spelling === 'exact',
    };
    const roots = this.#rootsFor(access);
    let canonical = '';
    // The file with the intended name may be a link, so its target is checked too.
    for (let next: string | undefined = absolutePath(path, form); next !== undefined; ) {
      canonical = confine(next, roots, this.#roots);
      next = alikePath(canonical, roots, spelling, isHidden);
    }
    return canonical;
  }

  #rootsFor(access: Access): readonly string[] {
    return access === 'read' ? [...this.#roots, ...(this.#options.readOnlyRoots?.() ?? [])] : this.#roots;
  }

  #searchOptions(roots: readonly string[], { glob = defaultLimits.glob, grep = defaultLimits.grep }: QueryLimits) {
    const { limits = { glob, grep } } = this.#options;
    return { roots, limits, isHidden: exclusionTest(this.#options), engines: this.#engines };
  }

  async #withStorageErrors<Result>(canonical: string, job: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await job();
    } catch (thrown) {
      if (errorCode(thrown) === 'ENOENT') throw fileNotFound(canonical, this.#rootsFor('read'), this.#options.isHidden);
      throw storageError(thrown, canonical);
    }
  }
}
