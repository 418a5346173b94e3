import { defaultLimits, type Limits } from '../core/limits.js';
import { LatestMap } from '../core/support/latest-map.js';
import type { FileStat, FileSystem, OpenFile } from '../ports/file-system.js';
import { fileInMemory, readWhole } from './disk/open-file.js';
import { decorateFiles } from './mounts/decorate-files.js';

/** Options of {@link cacheReads}. */
export interface ReadCacheOptions {
  /** Default: the limits in `defaultLimits.read`. */
  readonly limits?: Pick<Limits['read'], 'maxCacheBytes' | 'maxCachedFileBytes'>;
  /** Returns milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

// Some file systems store times in steps of two seconds: a file just written may change again without a new time.
const settledMs = 2_000;

type ContentCache = LatestMap<string, { readonly version: string; readonly bytes: Buffer }>;

/** Keeps the contents of files in memory until they change. Wrap only files that are the same for every caller. */
export function cacheReads(
  files: FileSystem,
  { limits = defaultLimits.read, now = Date.now }: ReadCacheOptions = {},
): FileSystem {
  const cache: ContentCache = new LatestMap(limits.maxCacheBytes, { weigh: ({ bytes }) => bytes.length });
  const mayKeep = ({ size, mtimeMs }: FileStat) => size <= limits.maxCachedFileBytes && now() - mtimeMs >= settledMs;
  return decorateFiles(files, {
    async open(path, scope) {
      const file = await files.open(path, scope);
      const known = cache.get(file.stat.path);
      if (known?.version !== file.stat.version) return mayKeep(file.stat) ? keeping(file, cache) : file;
      cache.set(file.stat.path, known);
      return fileInMemory(file.stat, known.bytes, () => file.close());
    },
    async update(path, change, scope, spelling) {
      const update = await files.update(path, change, scope, spelling);
      if (update !== undefined) cache.delete(update.path);
      return update;
    },
    async remove(path, scope) {
      const canonical = await files.resolve(path, scope);
      cache.delete(canonical);
      return files.remove(path, scope);
    },
  });
}

/** The open file; its first read reads the whole content into the cache. */
function keeping(file: OpenFile, cache: ContentCache): OpenFile {
  let whole: Promise<Buffer> | undefined;
  return {
    stat: file.stat,
    async read(buffer, position) {
      whole ??= readWhole(file).then((bytes) => {
        cache.set(file.stat.path, { version: file.stat.version, bytes });
        return bytes;
      });
      return (await whole).copy(buffer, 0, position, position + buffer.length);
    },
    close: () => file.close(),
  };
}
