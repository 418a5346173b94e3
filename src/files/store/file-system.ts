import { posix } from 'node:path';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { KeyQueue } from '../../core/support/serial-queue.js';
import { isInside } from '../../core/text/path-names.js';
import type { DocumentCondition, FileStore, StoredDocument } from '../../ports/file-store.js';
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
  NewContent,
  OpenFile,
} from '../../ports/file-system.js';
import { fileInMemory } from '../disk/open-file.js';
import { changedMeanwhile, refuseReadOnly } from '../disk/replace-file.js';
import { refuseFolderPath } from '../paths/syntax.js';
import type { VirtualFile } from '../search/javascript/grep-engine.js';
import { virtualSearch } from './virtual-search.js';
import { virtualFolder, virtualPath, virtualTree } from './virtual-tree.js';

/** Options of {@link StoreFiles}. */
export interface StoreFilesOptions {
  /** Absolute path that the store's names are relative to. */
  readonly root: string;
  readonly store: FileStore;
  /** Limits of searches. Default: the limits of the toolkit that uses these files, or else `defaultLimits`. */
  readonly limits?: Pick<Limits, 'glob' | 'grep'>;
}

/** A store that may also keep the permission bits of its documents, and list their times. */
export interface StoreWithModes extends Omit<FileStore, 'read' | 'write'> {
  read(name: string, scope: CallScope): Promise<DocumentWithMode | undefined>;
  write(
    name: string,
    bytes: Uint8Array,
    scope: CallScope,
    how?: DocumentCondition & { readonly mode?: number | undefined },
  ): Promise<void>;
  /** When each document was last changed, by name. Without this method, Glob reads the documents. */
  times?(scope: CallScope): Promise<ReadonlyMap<string, number>>;
}

type DocumentWithMode = StoredDocument & { readonly mode?: number };

const maxAttempts = 5;
const maxReads = 8;

/** The documents of a store as files. A folder exists as long as it contains documents. */
export class StoreFiles implements FileSystem, AsyncDisposable {
  readonly root: string;
  readonly #store: StoreWithModes;
  readonly #queueKey: typeof ownKey;
  readonly #queue = new KeyQueue();
  readonly #search: ReturnType<typeof virtualSearch>;

  /**
   * Updates with the same `queueKey` run one after the other. Default: one key for each path and each user of an agent.
   */
  constructor({ root, store, limits }: StoreFilesOptions & { readonly store: StoreWithModes }, queueKey = ownKey) {
    this.root = root;
    this.#store = store;
    this.#queueKey = queueKey;
    this.#search = virtualSearch(limits);
  }

  async resolve(path: string, scope: CallScope): Promise<string> {
    return this.#locate(path, scope);
  }

  async stat(path: string, scope: CallScope): Promise<FileStat | undefined> {
    const canonical = this.#locate(path, scope);
    const document = await this.#read(canonical, scope);
    if (document !== undefined) return statOf(canonical, document);
    return (await this.#tree(scope)).isFolder(canonical) ? virtualFolder(canonical) : undefined;
  }

  async open(path: string, scope: CallScope): Promise<OpenFile> {
    const canonical = this.#locate(path, scope);
    refuseFolderPath(path, 'linux');
    const document = await this.#read(canonical, scope);
    if (document === undefined) throw (await this.#tree(scope)).missing(canonical);
    return fileInMemory(statOf(canonical, document), Buffer.from(document.bytes));
  }

  async update(path: string, change: ContentChange, scope: CallScope): Promise<FileUpdate | undefined> {
    const canonical = this.#locate(path, scope);
    return this.#queue.run(this.#queueKey(canonical, scope), async () => {
      refuseFolderPath(path, 'linux');
      (await this.#tree(scope)).refusePlace(canonical);
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        scope.signal.throwIfAborted();
        const before = await this.#read(canonical, scope);
        const current = before && { stat: statOf(canonical, before), bytes: async () => Buffer.from(before.bytes) };
        const content = await change(current);
        if (content === undefined) return undefined;
        scope.signal.throwIfAborted();
        if ((await this.#read(canonical, scope))?.version !== before?.version) continue;
        if (current !== undefined) refuseReadOnly(current.stat);
        const written = await this.#write(canonical, content, before, scope);
        if (written !== undefined) return written;
      }
      throw changedMeanwhile(canonical);
    });
  }

  async remove(path: string, scope: CallScope): Promise<boolean> {
    const canonical = this.#locate(path, scope);
    refuseFolderPath(path, 'linux');
    return this.#queue.run(this.#queueKey(canonical, scope), async () => {
      (await this.#tree(scope)).refusePlace(canonical);
      return this.#store.remove(this.#nameOf(canonical), scope);
    });
  }

  async list(path: string, scope: CallScope): Promise<readonly FileEntry[]> {
    const canonical = this.#locate(path, scope);
    return (await this.#tree(scope)).entries(canonical);
  }

  async glob(query: GlobQuery, scope: CallScope): Promise<GlobResult> {
    const folder = this.#locate(query.path ?? this.root, scope);
    (await this.#tree(scope)).requireFolder(folder);
    const times = await this.#store.times?.(scope);
    const { files, unreadable } = await this.#all(scope, times === undefined ? folder : undefined, times);
    const found = await this.#search.glob({ root: this.root, files, path: folder }, query, scope);
    return { ...found, unreadable: (found.unreadable ?? 0) + unreadable };
  }

  async grep(query: GrepQuery, scope: CallScope): Promise<GrepResult> {
    const path = this.#locate(query.path ?? this.root, scope);
    (await this.#tree(scope)).requireAny(path);
    const { files, unreadable } = await this.#all(scope, path);
    const found = await this.#search.grep({ root: this.root, files, path }, query, scope);
    return { ...found, unreadable: (found.unreadable ?? 0) + unreadable };
  }

  /** Ends the running searches. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#search.dispose();
  }

  #locate(path: string, scope: CallScope): string {
    scope.signal.throwIfAborted();
    return virtualPath(path, this.root);
  }

  #nameOf(canonical: string): string {
    return canonical.slice(this.root.length).replace(/^\//, '');
  }

  #read(canonical: string, scope: CallScope): Promise<DocumentWithMode | undefined> {
    return this.#store.read(this.#nameOf(canonical), scope);
  }

  /** Writes a document; resolves with undefined if the document was changed meanwhile. */
  async #write(
    canonical: string,
    content: NewContent,
    before: DocumentWithMode | undefined,
    scope: CallScope,
  ): Promise<FileUpdate | undefined> {
    const bytes = Buffer.concat(content.slices);
    const how = { expected: before?.version ?? null, mode: content.mode ?? before?.mode };
    try {
      await this.#store.write(this.#nameOf(canonical), bytes, scope, how);
    } catch (thrown) {
      if (ToolError.is(thrown) && thrown.code === 'file_changed') return undefined;
      throw thrown;
    }
    // A store may remove a document when an empty one is written.
    const written = (await this.#read(canonical, scope)) ?? { bytes, mtimeMs: 0, version: 'removed' };
    return { path: canonical, created: before === undefined, method: 'replaced', stat: statOf(canonical, written) };
  }

  async #tree(scope: CallScope) {
    const above = this.root === '/' ? '/' : `${this.root}/`;
    const paths = (await this.#store.names(scope)).map((name) => above + name);
    return virtualTree(this.root, paths);
  }

  /** All files. Reads the content and time of files at or below `within`, and of `.gitignore` files. */
  async #all(scope: CallScope, within: string | undefined, times?: ReadonlyMap<string, number>) {
    const files: VirtualFile[] = [];
    let unreadable = 0;
    const names = times ? [...times.keys()] : await this.#store.names(scope);
    const next = names.values();
    const add = async (name: string) => {
      const path = posix.join(this.root, name);
      const isNeeded = within !== undefined && isInside(path, [within], 'linux');
      const unread = { bytes: Buffer.of(), mtimeMs: times?.get(name) ?? 0 };
      const document = isNeeded || posix.basename(path) === '.gitignore' ? await this.#store.read(name, scope) : unread;
      if (document !== undefined) files.push({ path, bytes: document.bytes, mtimeMs: document.mtimeMs });
    };
    const work = async () => {
      for (const name of next)
        await add(name).catch(() => {
          scope.signal.throwIfAborted();
          unreadable++;
        });
    };
    await Promise.all(Array.from({ length: maxReads }, work));
    return { files, unreadable };
  }
}

function statOf(path: string, { bytes, mtimeMs, version, mode = 0o644 }: DocumentWithMode): FileStat {
  return { path, kind: 'file', size: bytes.length, mtimeMs, mode, version };
}

// Each user of a store has its own documents, possibly under the same names.
function ownKey(path: string, { caller }: CallScope): string {
  return JSON.stringify([caller.agentId, caller.userId, path]);
}
