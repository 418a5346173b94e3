import { posix } from 'node:path';
import type { CallScope } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import { type ModalStore, StoreFiles } from '../files/store/store-files.js';
import type { StoredDocument } from '../host/file-store.js';

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

/** A file system in memory; see {@link MemoryFiles}. */
export function memoryFiles(options: MemoryFilesOptions = {}): MemoryFiles {
  return new MemoryFiles(options);
}

/**
 * A file system in memory that keeps the contract of the disk, without links and special files. Folders exist as long
 * as files are in them.
 */
export class MemoryFiles extends StoreFiles {
  readonly #documents: Documents;

  constructor({ root = '/workspace', files = {}, limits }: MemoryFilesOptions) {
    const documents = new Documents();
    // The documents are the same for every caller.
    super({ root, store: documents, ...(limits === undefined ? {} : { limits }) }, (path) => path);
    this.#documents = documents;
    for (const [path, content] of Object.entries(files)) this.set(path, content);
  }

  /** Puts content there without any check, as another program would. */
  set(path: string, content: string | Uint8Array, mode = 0o644): void {
    this.#documents.put(this.#nameOf(path), Buffer.from(content as Uint8Array), mode);
  }

  /** The content as text, or undefined. */
  text(path: string): string | undefined {
    return this.#documents.get(this.#nameOf(path))?.bytes.toString('utf8');
  }

  /** All paths, sorted. */
  paths(): string[] {
    return [...this.#documents.keys()].map((name) => posix.join(this.root, name)).sort();
  }

  #nameOf(path: string): string {
    return posix.relative(this.root, posix.resolve(this.root, path));
  }
}

interface Stored extends StoredDocument {
  readonly bytes: Buffer;
  readonly mode: number;
}

class Documents implements ModalStore {
  readonly #stored = new Map<string, Stored>();
  #changes = 0;

  get(name: string): Stored | undefined {
    return this.#stored.get(name);
  }

  keys(): Iterable<string> {
    return this.#stored.keys();
  }

  put(name: string, bytes: Buffer, mode: number): void {
    this.#changes++;
    // Later changes are newer even within one millisecond.
    const mtimeMs = Date.now() + this.#changes / 1_000;
    this.#stored.set(name, { bytes, mode, mtimeMs, version: `m${this.#changes}` });
  }

  async read(name: string): Promise<Stored | undefined> {
    return this.#stored.get(name);
  }

  async write(name: string, bytes: Uint8Array, _scope: CallScope, mode = 0o644): Promise<void> {
    this.put(name, Buffer.from(bytes), mode);
  }

  async remove(name: string): Promise<boolean> {
    return this.#stored.delete(name);
  }

  async names(): Promise<readonly string[]> {
    return [...this.#stored.keys()];
  }
}
