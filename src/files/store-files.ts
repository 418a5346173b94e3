import { posix } from 'node:path';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { didYouMean } from '../core/near-names.js';
import type { FileStore, StoredDocument } from '../host/file-store.js';
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
import { isInside, outside } from './confinement.js';
import { KeyQueue } from './key-queue.js';
import { absolutePath } from './path-syntax.js';
import { changedMeanwhile } from './replace-file.js';
import { globVirtual, grepVirtual, type VirtualFile } from './virtual-search.js';

/** What {@link StoreFiles} works with. */
export interface StoreFilesOptions {
  /** Absolute path that the store's names are relative to. */
  readonly root: string;
  readonly store: FileStore;
}

const maxAttempts = 5;
const maxGrepLineChars = 2_000;
const fileMode = 0o644;

/** The documents of a store as files. A folder is there as long as documents are in it. */
export class StoreFiles implements FileSystem {
  readonly root: string;
  readonly #store: FileStore;
  readonly #queue = new KeyQueue();

  constructor({ root, store }: StoreFilesOptions) {
    this.root = root;
    this.#store = store;
  }

  async resolve(path: string, scope: CallScope): Promise<string> {
    return this.#locate(path, scope);
  }

  async stat(path: string, scope: CallScope): Promise<FileStat | undefined> {
    const canonical = this.#locate(path, scope);
    const document = await this.#read(canonical, scope);
    if (document !== undefined) return statOf(canonical, document);
    if (!(await this.#isFolder(canonical, scope))) return undefined;
    return { path: canonical, kind: 'directory', size: 0, mtimeMs: 0, mode: 0o755, version: 'folder' };
  }

  async open(path: string, scope: CallScope): Promise<OpenFile> {
    const canonical = this.#locate(path, scope);
    const document = await this.#read(canonical, scope);
    if (document === undefined) throw await this.#missing(canonical, scope);
    const bytes = Buffer.from(document.bytes);
    return {
      stat: statOf(canonical, document),
      read: async (buffer, position) => bytes.copy(buffer, 0, position, position + buffer.length),
      close: async () => {},
    };
  }

  async update(
    path: string,
    change: (current: CurrentFile | undefined) => Promise<NewContent | undefined> | NewContent | undefined,
    scope: CallScope,
  ): Promise<FileUpdate | undefined> {
    const canonical = this.#locate(path, scope);
    const { agentId, userId } = scope.caller;
    return this.#queue.run(JSON.stringify([agentId, userId, canonical]), async () => {
      if (path.endsWith('/') || (await this.#isFolder(canonical, scope))) throw isFolder(canonical);
      await this.#refuseFileAbove(canonical, scope);
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        scope.signal.throwIfAborted();
        const before = await this.#read(canonical, scope);
        const content = await change(before && { stat: statOf(canonical, before), bytes: async () => Buffer.from(before.bytes) });
        if (content === undefined) return undefined;
        scope.signal.throwIfAborted();
        if ((await this.#read(canonical, scope))?.version !== before?.version) continue;
        return this.#write(canonical, content, before === undefined, scope);
      }
      throw changedMeanwhile(canonical);
    });
  }

  async remove(path: string, scope: CallScope): Promise<boolean> {
    const canonical = this.#locate(path, scope);
    if (await this.#isFolder(canonical, scope)) throw isFolder(canonical);
    return this.#store.remove(this.#nameOf(canonical), scope);
  }

  async list(path: string, scope: CallScope): Promise<readonly { readonly name: string; readonly kind: FileStat['kind'] }[]> {
    const canonical = this.#locate(path, scope);
    if ((await this.#read(canonical, scope)) !== undefined)
      throw new ToolError('not_a_file', `This is a file, not a folder: ${canonical}. Use Read.`);
    if (!(await this.#isFolder(canonical, scope))) throw await this.#missing(canonical, scope);
    const prefix = canonical === this.root ? '' : `${this.#nameOf(canonical)}/`;
    const entries = new Map<string, FileStat['kind']>();
    for (const name of await this.#store.names(scope)) {
      if (!name.startsWith(prefix)) continue;
      const [first = '', ...deeper] = name.slice(prefix.length).split('/');
      entries.set(first, deeper.length > 0 ? 'directory' : 'file');
    }
    return [...entries].map(([name, kind]) => ({ name, kind })).sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  async glob(query: GlobQuery, scope: CallScope): Promise<GlobResult> {
    const folder = this.#locate(query.path ?? this.root, scope);
    if (query.pattern.split('/').includes('..')) throw outside(query.pattern, [this.root]);
    return globVirtual(await this.#all(scope), query, folder);
  }

  async grep(query: GrepQuery, scope: CallScope): Promise<GrepResult> {
    const path = this.#locate(query.path ?? this.root, scope);
    const files = await this.#all(scope);
    if (!files.some((file) => isInside(file.path, path, 'linux')) && path !== this.root) throw await this.#missing(path, scope);
    return grepVirtual(files, query, path, maxGrepLineChars);
  }

  #locate(path: string, scope: CallScope): string {
    scope.signal.throwIfAborted();
    const canonical = posix.resolve(absolutePath(path, { root: this.root, relativePaths: 'reject', platform: 'linux' }));
    if (!isInside(canonical, this.root, 'linux')) throw outside(path, [this.root]);
    return canonical;
  }

  #nameOf(canonical: string): string {
    return canonical.slice(this.root.length).replace(/^\//, '');
  }

  #read(canonical: string, scope: CallScope): Promise<StoredDocument | undefined> {
    return this.#store.read(this.#nameOf(canonical), scope);
  }

  async #write(canonical: string, content: NewContent, created: boolean, scope: CallScope): Promise<FileUpdate> {
    const bytes = Buffer.concat(content.slices);
    await this.#store.write(this.#nameOf(canonical), bytes, scope);
    // A store may take an empty document for a removal.
    const written = (await this.#read(canonical, scope)) ?? { bytes, mtimeMs: 0, version: 'removed' };
    return { path: canonical, created, method: 'replaced', stat: statOf(canonical, written) };
  }

  async #isFolder(canonical: string, scope: CallScope): Promise<boolean> {
    if (canonical === this.root) return true;
    const prefix = `${this.#nameOf(canonical)}/`;
    return (await this.#store.names(scope)).some((name) => name.startsWith(prefix));
  }

  async #refuseFileAbove(canonical: string, scope: CallScope): Promise<void> {
    const name = this.#nameOf(canonical);
    const above = (await this.#store.names(scope)).find((other) => name.startsWith(`${other}/`));
    if (above !== undefined) throw new ToolError('not_a_file', `A name before the last is a file, not a folder: ${canonical}.`);
  }

  async #missing(path: string, scope: CallScope): Promise<ToolError> {
    if (await this.#isFolder(path, scope)) return isFolder(path);
    const names = (await this.#store.names(scope)).map((name) => posix.join(this.root, name));
    return new ToolError('file_not_found', `File not found: ${path}.${didYouMean(path, names) || ' Use Glob to find the right path.'}`);
  }

  async #all(scope: CallScope): Promise<VirtualFile[]> {
    const files = await Promise.all(
      (await this.#store.names(scope)).map(async (name) => {
        const document = await this.#store.read(name, scope);
        if (document === undefined) return [];
        return [{ path: posix.join(this.root, name), bytes: Buffer.from(document.bytes), mtimeMs: document.mtimeMs }];
      }),
    );
    return files.flat();
  }
}

function statOf(path: string, { bytes, mtimeMs, version }: StoredDocument): FileStat {
  return { path, kind: 'file', size: bytes.length, mtimeMs, mode: fileMode, version };
}

function isFolder(path: string): ToolError {
  return new ToolError('not_a_file', `This is a folder, not a file: ${path}. Use Glob to see what is in it.`);
}
