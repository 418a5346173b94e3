import { posix } from 'node:path';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { didYouMean } from '../core/near-names.js';
import { isInside } from '../files/confinement.js';
import { KeyQueue } from '../files/key-queue.js';
import { absolutePath } from '../files/path-syntax.js';
import { globVirtual, grepVirtual, type VirtualFile } from '../files/virtual-search.js';
import type {
  CurrentFile,
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
}

interface Stored {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly version: string;
}

const maxGrepLineChars = 2_000;

/** A file system in memory; see {@link MemoryFiles}. */
export function memoryFiles(options: MemoryFilesOptions = {}): MemoryFiles {
  return new MemoryFiles(options);
}

/** A file system in memory that keeps the contract of the disk, without links and special files. Folders exist as long as files are in them. */
export class MemoryFiles implements FileSystem {
  readonly root: string;
  readonly #files = new Map<string, Stored>();
  readonly #queue = new KeyQueue();
  #changes = 0;

  constructor({ root = '/workspace', files = {} }: MemoryFilesOptions) {
    this.root = root;
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
    if (!this.#isFolder(canonical)) return undefined;
    return { path: canonical, kind: 'directory', size: 0, mtimeMs: 0, mode: 0o755, version: 'folder' };
  }

  async open(path: string, scope: CallScope): Promise<OpenFile> {
    const canonical = this.#locate(path, scope);
    const stored = this.#files.get(canonical);
    if (stored === undefined) throw this.#missing(canonical);
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
        if (this.#isFolder(canonical) || path.endsWith('/')) throw isFolder(canonical);
        const before = this.#files.get(canonical);
        const content = await change(before && { stat: statOf(canonical, before), bytes: async () => Buffer.from(before.bytes) });
        if (content === undefined) return undefined;
        scope.signal.throwIfAborted();
        // Somebody may have used set() meanwhile.
        if (this.#files.get(canonical) !== before) continue;
        this.#refuse(canonical, before);
        const stored = this.#store(canonical, Buffer.concat(content.slices), content.mode ?? before?.mode ?? 0o644);
        return { path: canonical, created: before === undefined, method: 'replaced', stat: statOf(canonical, stored) };
      }
    });
  }

  async remove(path: string, scope: CallScope): Promise<boolean> {
    const canonical = this.#locate(path, scope);
    return this.#queue.run(canonical, async () => {
      if (this.#isFolder(canonical)) throw isFolder(canonical);
      return this.#files.delete(canonical);
    });
  }

  async list(path: string, scope: CallScope): Promise<readonly { readonly name: string; readonly kind: FileStat['kind'] }[]> {
    const canonical = this.#locate(path, scope);
    if (this.#files.has(canonical)) throw new ToolError('not_a_file', `This is a file, not a folder: ${canonical}. Use Read.`);
    if (!this.#isFolder(canonical)) throw this.#missing(canonical);
    const prefix = canonical === '/' ? '/' : `${canonical}/`;
    const names = new Map<string, FileStat['kind']>();
    for (const file of this.#files.keys()) {
      if (!file.startsWith(prefix)) continue;
      const [name = '', ...deeper] = file.slice(prefix.length).split('/');
      names.set(name, deeper.length > 0 ? 'directory' : 'file');
    }
    return [...names].map(([name, kind]) => ({ name, kind })).sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  async glob(query: GlobQuery, scope: CallScope): Promise<GlobResult> {
    const folder = this.#locate(query.path ?? this.root, scope);
    if (query.pattern.split('/').includes('..'))
      throw new ToolError('path_outside_root', 'The pattern climbs with ..; use path to search another folder.');
    return globVirtual(this.#virtual(), query, folder);
  }

  async grep(query: GrepQuery, scope: CallScope): Promise<GrepResult> {
    const path = this.#locate(query.path ?? this.root, scope);
    if (!this.#files.has(path) && !this.#isFolder(path)) throw this.#missing(path);
    return grepVirtual(this.#virtual(), query, path, maxGrepLineChars);
  }

  #locate(path: string, scope: CallScope): string {
    scope.signal.throwIfAborted();
    const canonical = posix.resolve(absolutePath(path, { root: this.root, relativePaths: 'reject', platform: 'linux' }));
    if (isInside(canonical, this.root, 'linux')) return canonical;
    throw new ToolError('path_outside_root', `The path leads outside the workspace: ${path}. Use a path inside ${this.root}.`);
  }

  #refuse(canonical: string, before: Stored | undefined): void {
    if (before !== undefined && (before.mode & 0o222) === 0) {
      throw new ToolError('storage_failed', `The file is marked read-only: ${canonical}. Make it writable first, if it may be changed.`);
    }
    const inTheWay = [...this.#files.keys()].find((path) => canonical.startsWith(`${path}/`));
    if (inTheWay !== undefined) throw new ToolError('not_a_file', `A name before the last is a file, not a folder: ${canonical}.`);
  }

  #isFolder(path: string): boolean {
    if (path === this.root) return true;
    return [...this.#files.keys()].some((file) => file.startsWith(`${path}/`));
  }

  #missing(path: string): ToolError {
    if (this.#isFolder(path)) return isFolder(path);
    const folder = posix.dirname(path);
    const names = this.paths().filter((other) => posix.dirname(other) === folder);
    return new ToolError('file_not_found', `File not found: ${path}.${didYouMean(path, names) || ' Use Glob to find the right path.'}`);
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

function isFolder(path: string): ToolError {
  return new ToolError('not_a_file', `This is a folder, not a file: ${path}. Use Glob to see what is in it.`);
}
