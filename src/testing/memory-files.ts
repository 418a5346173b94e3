import { posix } from 'node:path';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import type { Limits } from '../core/limits.js';
import { KeyQueue } from '../files/disk/key-queue.js';
import { refuseFolderPath } from '../files/paths/path-syntax.js';
import type { VirtualFile } from '../files/search/threads/search-job.js';
import { VirtualSearch } from '../files/store/virtual-search.js';
import { VirtualTree, virtualFolder, virtualPath } from '../files/store/virtual-tree.js';
import type {
  CurrentFile,
  FileEntry,
  FileStat,
  FileSystem,
  FileUpdate,
  GlobQuery,
  GlobResult,
  GrepQuery,
  GrepResult,
  NewContent,
  OpenFile,
} from '../host/file-system.js';

/** What {@link memoryFiles} begins with. */
export interface MemoryFilesOptions {
  /** Absolute path of the root folder. Default `/workspace`. */
  readonly root?: string;
  /** Contents by path, absolute or relative to the root. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /**
   * How long a search may take and what it may hold. Default: those of the toolkit that works on it, or else
   * `defaultLimits`.
   */
  readonly limits?: Pick<Limits, 'glob' | 'grep'>;
}

interface Stored {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly version: string;
}

/** A file system in memory; see {@link MemoryFiles}. */
export function memoryFiles(options: MemoryFilesOptions = {}): MemoryFiles {
  return new MemoryFiles(options);
}

/**
 * A file system in memory that keeps the contract of the disk, without links and special files. Folders exist as long
 * as files are in them.
 */
export class MemoryFiles implements FileSystem, AsyncDisposable {
  readonly root: string;
  readonly #files = new Map<string, Stored>();
  readonly #queue = new KeyQueue();
  readonly #tree: VirtualTree;
  readonly #search: VirtualSearch;
  #changes = 0;

  constructor({ root = '/workspace', files = {}, limits }: MemoryFilesOptions) {
    this.root = root;
    this.#search = new VirtualSearch(limits);
    this.#tree = new VirtualTree(root, () => this.#files.keys());
    for (const [path, content] of Object.entries(files)) this.set(path, content);
  }

  /** Puts content there without any check, as another program would. */
  set(path: string, content: string | Uint8Array, mode = 0o644): void {
    this.#store(posix.resolve(this.root, path), Buffer.from(content as Uint8Array), mode);
  }

  /** The content as text, or undefined. */
  text(path: string): string | undefined {
    return this.#files.get(posix.resolve(this.root, path))?.bytes.toString('utf8');
  }

  /** All paths, sorted. */
  paths(): string[] {
    return [...this.#files.keys()].sort();
  }

  async resolve(path: string, scope: CallScope): Promise<string> {
    return this.#locate(path, scope);
  }

  async stat(path: string, scope: CallScope): Promise<FileStat | undefined> {
    const canonical = this.#locate(path, scope);
    const stored = this.#files.get(canonical);
    if (stored !== undefined) return statOf(canonical, stored);
    return this.#tree.isFolder(canonical) ? virtualFolder(canonical) : undefined;
  }

  async open(path: string, scope: CallScope): Promise<OpenFile> {
    const canonical = this.#locate(path, scope);
    refuseFolderPath(path, 'linux');
    const stored = this.#files.get(canonical);
    if (stored === undefined) throw this.#tree.missing(canonical);
    return {
      stat: statOf(canonical, stored),
      read: async (buffer, position) => stored.bytes.copy(buffer, 0, position, position + buffer.length),
      close: async () => {},
    };
  }

  async update(
    path: string,
    change: (current: CurrentFile | undefined) => Promise<NewContent | undefined> | NewContent | undefined,
    scope: CallScope,
  ): Promise<FileUpdate | undefined> {
    const canonical = this.#locate(path, scope);
    return this.#queue.run(canonical, async () => {
      for (;;) {
        scope.signal.throwIfAborted();
        refuseFolderPath(path, 'linux');
        this.#tree.refusePlace(canonical);
        const before = this.#files.get(canonical);
        const content = await change(
          before && { stat: statOf(canonical, before), bytes: async () => Buffer.from(before.bytes) },
        );
        if (content === undefined) return undefined;
        scope.signal.throwIfAborted();
        // Somebody may have used set() meanwhile.
        if (this.#files.get(canonical) !== before) continue;
        refuseReadOnly(canonical, before);
        const stored = this.#store(canonical, Buffer.concat(content.slices), content.mode ?? before?.mode ?? 0o644);
        return { path: canonical, created: before === undefined, method: 'replaced', stat: statOf(canonical, stored) };
      }
    });
  }

  async remove(path: string, scope: CallScope): Promise<boolean> {
    const canonical = this.#locate(path, scope);
    return this.#queue.run(canonical, async () => {
      refuseFolderPath(path, 'linux');
      this.#tree.refusePlace(canonical);
      return this.#files.delete(canonical);
    });
  }

  async list(path: string, scope: CallScope): Promise<readonly FileEntry[]> {
    return this.#tree.entries(this.#locate(path, scope));
  }

  async glob(query: GlobQuery, scope: CallScope): Promise<GlobResult> {
    const folder = this.#locate(query.path ?? this.root, scope);
    this.#tree.requireFolder(folder);
    return this.#search.glob({ root: this.root, files: this.#virtual(), path: folder }, query, scope);
  }

  async grep(query: GrepQuery, scope: CallScope): Promise<GrepResult> {
    const path = this.#locate(query.path ?? this.root, scope);
    this.#tree.requireAny(path);
    return this.#search.grep({ root: this.root, files: this.#virtual(), path }, query, scope);
  }

  /** Ends the threads of searches; without it they end by themselves once they are idle. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#search[Symbol.asyncDispose]();
  }

  #locate(path: string, scope: CallScope): string {
    scope.signal.throwIfAborted();
    return virtualPath(path, this.root);
  }

  #store(path: string, bytes: Buffer, mode: number): Stored {
    this.#changes++;
    // Later changes are newer even within one millisecond.
    const stored = { bytes, mode, mtimeMs: Date.now() + this.#changes / 1_000, version: `m${this.#changes}` };
    this.#files.set(path, stored);
    return stored;
  }

  #virtual(): VirtualFile[] {
    return [...this.#files].map(([path, { bytes, mtimeMs }]) => ({ path, bytes, mtimeMs }));
  }
}

function statOf(path: string, { bytes, mode, mtimeMs, version }: Stored): FileStat {
  return { path, kind: 'file', size: bytes.length, mtimeMs, mode, version };
}

function refuseReadOnly(path: string, before: Stored | undefined): void {
  if (before === undefined || (before.mode & 0o222) !== 0) return;
  throw new ToolError(
    'storage_failed',
    `The file is marked read-only: ${path}. Make it writable first, if it may be changed.`,
  );
}
