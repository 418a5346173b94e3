import { posix } from 'node:path';
import type { CallScope } from '../../core/context.js';
import { defaultLimits, type Limits } from '../../core/limits.js';
import { systemTimers } from '../../core/support/timers.js';
import { byPath, isInside } from '../../core/text/path-names.js';
import type { GlobQuery, GlobResult, GrepQuery, GrepResult } from '../../ports/file-system.js';
import { globInTurns } from '../search/glob/engine.js';
import { grepInTurns, type VirtualFile } from '../search/javascript/grep-engine.js';
import { checkGlobQuery, checkGrepQuery } from '../search/query/check.js';
import { GrepCollector, pageOfPaths } from '../search/query/grep-collector.js';
import { SearchTurns } from '../search/query/search-turns.js';
import { type DatedPath, newestFirst } from '../search/walk/file-times.js';
import type { Folders } from '../search/walk/folder-source.js';
import { type IgnoreSource, virtualIgnore } from '../search/walk/ignore-rules.js';

/** Files that are not on the disk, and the path to search. */
export interface VirtualPlace {
  /** Canonical absolute folder that contains all these files. */
  readonly root: string;
  readonly files: readonly VirtualFile[];
  /** Canonical absolute file or folder to search; it exists. */
  readonly path: string;
}

/**
 * Searches files that are not on the disk, with the JavaScript engine. Patterns, ignore rules and lines of results are
 * the same as on the disk. `given` defaults to the limits of the query, or else to `defaultLimits`.
 */
export function virtualSearch(given?: Pick<Limits, 'glob' | 'grep'>) {
  const turns = new SearchTurns(systemTimers);

  async function glob(
    { root, files, path }: VirtualPlace,
    query: GlobQuery,
    { signal }: CallScope,
  ): Promise<GlobResult> {
    checkGlobQuery(query);
    const place = {
      cwd: query.relativeTo ?? path,
      within: query.relativeTo === undefined ? undefined : path,
      roots: [root],
    };
    const { timeoutMs } = given?.glob ?? query.limits ?? defaultLimits.glob;
    const folders = virtualFolders(below(files, path), virtualIgnore(files));
    return globInTurns(turns, query, { ...place, folders }, { signal, timeoutMs });
  }

  async function grep({ files, path }: VirtualPlace, query: GrepQuery, { signal }: CallScope): Promise<GrepResult> {
    checkGrepQuery(query);
    const limits = given?.grep ?? query.limits ?? defaultLimits.grep;
    const searched = below(files, path);
    const startKind = searched[0]?.path === path ? 'file' : 'directory';
    const collector = new GrepCollector({ query, maxChars: limits.maxResultBytes, isHidden: () => false });
    const contents = new Map(searched.map((file) => [file.path, file.bytes]));
    const folders = virtualFolders(searched, virtualIgnore(files));
    const place = { start: path, startKind, folders, contents } as const;
    const end = await grepInTurns(turns, { query, place, limits, signal, collector });
    if (query.mode !== 'files_with_matches') return { ...collector.page(), ...end };
    const found = new Set(collector.files().map((file) => file.path));
    const matching = searched.filter((file) => found.has(file.path)).sort(newestFirst);
    const paths = matching.map((file) => file.path);
    return { ...pageOfPaths(paths, query, collector.more), ...end };
  }

  return { glob, grep, dispose: () => turns.dispose() };
}

function below(files: readonly VirtualFile[], path: string): VirtualFile[] {
  return files.filter((file) => isInside(file.path, [path], 'linux')).sort(byPath);
}

function virtualFolders(files: readonly DatedPath[], rules: IgnoreSource): Folders {
  const times = new Map(files.map(({ path, mtimeMs }) => [path, mtimeMs]));
  const folders = new Map<string, Map<string, boolean>>();
  const enter = (path: string, isDirectory: boolean) => {
    const parent = posix.dirname(path);
    const known = folders.get(parent);
    const entries = known ?? new Map<string, boolean>();
    entries.set(posix.basename(path), isDirectory);
    if (known !== undefined) return;
    folders.set(parent, entries);
    if (parent !== '/') enter(parent, true);
  };
  for (const path of times.keys()) enter(path, false);
  return {
    rules,
    list: (folder) =>
      Array.from(folders.get(folder) ?? [], ([name, isDirectory]) => ({
        name,
        isDirectory: () => isDirectory,
        isFile: () => !isDirectory,
      })),
    mtimeOf: (path) => times.get(path),
    isUnnameable: () => false,
  };
}
