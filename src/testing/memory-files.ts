import { posix } from 'node:path';
import type { Limits } from '../core/limits.js';
import {
  argumentMistake,
  assertOptions,
  isRecord,
  kindName,
  kindOf,
  type OptionKinds,
} from '../core/support/check-values.js';
import { nearNames } from '../core/support/near-names.js';
import { StoreFiles, type StoreWithModes } from '../files/store/file-system.js';
import type { StoredDocument } from '../ports/file-store.js';

/** Options of {@link memoryFiles}. */
export interface MemoryFilesOptions {
  /** Absolute path of the root folder. Default `/workspace`. */
  readonly root?: string;
  /** Contents by path, absolute or relative to the root. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Limits of searches. Default: the limits of the toolkit that uses these files, or else `defaultLimits`. */
  readonly limits?: Pick<Limits, 'glob' | 'grep'>;
}

const defaultRoot = '/workspace';

/** Whether a value is a plain object; a Map, for instance, has entries instead of fields. */
const isFields = (value: unknown) => isRecord(value) && !(Symbol.iterator in value);

const isContent = (value: unknown) => typeof value === 'string' || ArrayBuffer.isView(value);

const kinds: OptionKinds<MemoryFilesOptions> = {
  root: kindOf.absolutePath,
  files: {
    takes: 'an object of texts or bytes by path',
    holds: (value) => isFields(value) && Object.values(value as object).every(isContent),
  },
  limits: kindOf.record,
};

/** Makes a {@link MemoryFiles}. Throws a TypeError for invalid options, and for a file outside the root. */
export function memoryFiles(options: MemoryFilesOptions = {}, ...more: readonly never[]): MemoryFiles {
  const takes = 'memoryFiles takes one object with root, files and limits';
  if (!isFields(options) || more.length > 0)
    throw argumentMistake(takes, kindName(isFields(options) ? more[0] : options), 'memoryFiles({ root, files })');
  const stray = Object.keys(options).find((name) => nearNames(name, Object.keys(kinds)).length === 0);
  if (stray !== undefined) {
    const path = posix.resolve(String(options.root ?? defaultRoot), stray);
    throw argumentMistake(takes, `the option ${stray}`, `memoryFiles({ files: { ${JSON.stringify(path)}: content } })`);
  }
  assertOptions('memoryFiles', options, kinds);
  return new MemoryFiles(options);
}

/**
 * Files in memory that behave like files on a disk, without links and special files. A folder exists while it contains
 * files.
 */
export class MemoryFiles extends StoreFiles {
  readonly #documents: ReturnType<typeof documentsOf>;

  constructor({ root = defaultRoot, files = {}, limits }: MemoryFilesOptions) {
    const documents = documentsOf();
    // The documents are the same for every caller.
    super({ root, store: documents.store, ...(limits === undefined ? {} : { limits }) }, (path) => path);
    this.#documents = documents;
    for (const [path, content] of Object.entries(files)) this.set(path, content);
  }

  /** Writes content as another program would. The method only checks that the path is below the root. */
  set(path: string, content: string | Uint8Array, mode = 0o644): void {
    const name = this.#nameOf(path);
    if (/^(?:\.\.)?(?:$|\/)/.test(name)) {
      const inside = posix.join(this.root, posix.basename(path));
      throw new TypeError(
        `memoryFiles: ${path} is not a file below the root ${this.root}. Write ${inside} or another root.`,
      );
    }
    this.#documents.put(name, Buffer.from(content as Uint8Array), mode);
  }

  /** The content as text, or undefined. */
  text(path: string): string | undefined {
    return this.#documents.stored.get(this.#nameOf(path))?.bytes.toString('utf8');
  }

  /** All paths, sorted. */
  paths(): string[] {
    return [...this.#documents.stored.keys()].map((name) => posix.join(this.root, name)).sort();
  }

  #nameOf(path: string): string {
    return posix.relative(this.root, posix.resolve(this.root, path));
  }
}

interface Stored extends StoredDocument {
  readonly bytes: Buffer;
  readonly mode: number;
}

function documentsOf() {
  const stored = new Map<string, Stored>();
  let changes = 0;
  const put = (name: string, bytes: Buffer, mode: number): void => {
    changes++;
    // Gives later changes a later time, even within one millisecond.
    const mtimeMs = Date.now() + changes / 1_000;
    stored.set(name, { bytes, mode, mtimeMs, version: `m${changes}` });
  };
  const store: StoreWithModes = {
    read: async (name) => stored.get(name),
    write: async (name, bytes, _scope, { mode = 0o644 } = {}) => put(name, Buffer.from(bytes), mode),
    remove: async (name) => stored.delete(name),
    names: async () => [...stored.keys()],
  };
  return { stored, put, store };
}
