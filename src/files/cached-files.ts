import { defaultLimits, type Limits } from '../core/limits.js';
import { LatestMap } from '../core/support/latest-map.js';
import type { FileStat, FileSystem, OpenFile } from '../ports/file-system.js';
import { fileInMemory, readWhole } from './disk/open-file.js';
import { decorateFiles } from './mounts/decorate-files.js';

/** How much {@link cacheReads} keeps. */
export interface ReadCacheOptions {
  /** Default: those of `defaultLimits.read`. */
  readonly limits?: Pick<Limits['read'], 'maxCacheBytes' | 'maxCachedFileBytes'>;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
}

// Some file systems store times in steps of two seconds: a file written more recently may change without a new time.
const settledMs = 2_000;

/**
 * The same files, but file contents are kept in memory and shared by all readers until the file changes. A file is still
 * opened each time, so checks at opening still hold. The least recently read content is dropped first. Wrap only files
 * that are the same for every caller.
 */
export function cacheReads(
  files: FileSystem,
  { limits = defaultLimits.read, now = Date.now }: ReadCacheOptions = {},
): FileSystem {
  const cache = new ContentCache(limits.maxCacheBytes);
  const mayKeep = ({ size, mtimeMs }: FileStat) => size <= limits.maxCachedFileBytes && now() - mtimeMs >= settledMs;
  return decorateFiles(files, {
    async open(path, scope) {
      const file = await files.open(path, scope);
      const known = cache.get(file.stat);
      if (known !== undefined) return fileInMemory(file, known);
      return mayKeep(file.stat) ? keeping(file, cache) : file;
    },
    async update(path, change, scope, spelling) {
      const update = await files.update(path, change, scope, spelling);
      if (update !== undefined) cache.drop(update.path);
      return update;
    },
    async remove(path, scope) {
      const canonical = await files.resolve(path, scope);
      cache.drop(canonical);
      return files.remove(path, scope);
    },
  });
}

/** The file, read as a whole when it is first read. */
function keeping(file: OpenFile, cache: ContentCache): OpenFile {
  let whole: Promise<Buffer> | undefined;
  return {
    stat: file.stat,
    async read(buffer, position) {
      whole ??= readWhole(file).then((bytes) => cache.put(file.stat, bytes));
      return (await whole).copy(buffer, 0, position, position + buffer.length);
    },
    close: () => file.close(),
  };
}

interface Content {
  readonly version: string;
  readonly bytes: Buffer;
}

class ContentCache {
  readonly #contents: LatestMap<string, Content>;

  constructor(maxBytes: number) {
    this.#contents = new LatestMap(maxBytes, { weigh: ({ bytes }) => bytes.length });
  }

  /** The content of exactly this version of a file. */
  get({ path, version }: FileStat): Buffer | undefined {
    const content = this.#contents.get(path);
    if (content === undefined) return undefined;
    this.drop(path);
    return content.version === version ? this.put({ path, version }, content.bytes) : undefined;
  }

  put({ path, version }: Pick<FileStat, 'path' | 'version'>, bytes: Buffer): Buffer {
    this.#contents.set(path, { version, bytes });
    return bytes;
  }

  drop(path: string): void {
    this.#contents.delete(path);
  }
}
