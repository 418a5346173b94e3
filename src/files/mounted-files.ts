import { posix } from 'node:path';
import type { CallScope } from '../core/context.js';
import type { FileStat, FileSystem, GlobQuery, GlobResult, GrepQuery, GrepResult } from '../host/file-system.js';
import { isInside } from './confinement.js';

/** A file system that stands in another one's place for some paths. */
export interface FileMount {
  /** Absolute path of the folder in which it stands. */
  readonly path: string;
  readonly files: FileSystem;
  /** Which of the paths below it are taken, by their name from there. Default: all. */
  readonly claims?: (name: string) => boolean;
}

interface Route {
  readonly files: FileSystem;
  readonly path: string;
}

/** Sends each path to the mount with the longest path that claims it, the first of equals, and everything else to `base`. */
export function mountFiles(base: FileSystem, mounts: readonly FileMount[]): FileSystem {
  if (mounts.length === 0) return base;
  const ordered = [...mounts].sort((left, right) => right.path.length - left.path.length);
  const mountAt = (path: string) => ordered.find((mount) => claims(mount, path));

  const route = async (path: string, scope: CallScope): Promise<Route> => {
    const plain = path.startsWith('/') && !path.includes('\0') ? posix.resolve(path) : undefined;
    const direct = plain === undefined ? undefined : mountAt(plain);
    if (direct !== undefined) return { files: direct.files, path };
    // A link, or a relative path, may lead to a mounted place as well.
    const canonical = await base.resolve(path, scope);
    const behind = mountAt(canonical);
    return behind === undefined ? { files: base, path } : { files: behind.files, path: canonical };
  };

  const mountsBelow = (folder: string) => ordered.filter((mount) => isInside(mount.path, folder, 'linux'));

  return {
    root: base.root,
    async resolve(path, scope) {
      const to = await route(path, scope);
      return to.files.resolve(to.path, scope);
    },
    async stat(path, scope) {
      const to = await route(path, scope);
      return to.files.stat(to.path, scope);
    },
    async open(path, scope) {
      const to = await route(path, scope);
      return to.files.open(to.path, scope);
    },
    async update(path, change, scope) {
      const to = await route(path, scope);
      return to.files.update(to.path, change, scope);
    },
    async remove(path, scope) {
      const to = await route(path, scope);
      return to.files.remove(to.path, scope);
    },
    async list(path, scope) {
      const to = await route(path, scope);
      const entries = await to.files.list(to.path, scope);
      if (to.files !== base) return entries;
      const folder = await base.resolve(path, scope);
      const own = entries.filter(({ name }) => mountAt(posix.join(folder, name)) === undefined);
      return sortedEntries([...own, ...(await mountedEntries(folder, mountsBelow(folder), scope))]);
    },
    async glob(query, scope) {
      const to = await route(query.path ?? base.root, scope);
      if (to.files !== base) return to.files.glob({ ...query, path: to.path }, scope);
      const below = mountsBelow(await base.resolve(query.path ?? base.root, scope));
      return mergeGlob(query, await base.glob(query, scope), below, mountAt, scope);
    },
    async grep(query, scope) {
      const to = await route(query.path ?? base.root, scope);
      if (to.files !== base) return to.files.grep({ ...query, path: to.path }, scope);
      const below = mountsBelow(await base.resolve(query.path ?? base.root, scope));
      return mergeGrep(query, base, below, (file) => mountAt(file) !== undefined, scope);
    },
  };

  async function mergeGlob(
    query: GlobQuery,
    own: GlobResult,
    below: readonly FileMount[],
    find: typeof mountAt,
    scope: CallScope,
  ): Promise<GlobResult> {
    const shadowed = own.paths.filter((path) => find(path) !== undefined).length;
    const found: { readonly path: string; readonly mtimeMs: number }[] = [];
    let total = own.total - shadowed;
    for (const path of own.paths) {
      if (find(path) === undefined) found.push({ path, mtimeMs: (await base.stat(path, scope))?.mtimeMs ?? 0 });
    }
    for (const mount of below) {
      const result = await mount.files.glob({ ...query, path: mount.path }, scope);
      total += result.total;
      for (const path of result.paths) found.push({ path, mtimeMs: (await mount.files.stat(path, scope))?.mtimeMs ?? 0 });
    }
    const paths = found.sort((left, right) => right.mtimeMs - left.mtimeMs).map(({ path }) => path);
    return { ...own, paths: paths.slice(0, query.maxFiles), total };
  }
}

function claims(mount: FileMount, path: string): boolean {
  if (!isInside(path, mount.path, 'linux')) return false;
  const name = path.slice(mount.path.length).replace(/^\//, '');
  return mount.claims === undefined || mount.claims(name);
}

type Entry = Awaited<ReturnType<FileSystem['list']>>[number];

async function mountedEntries(folder: string, mounts: readonly FileMount[], scope: CallScope): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const mount of mounts) {
    if (mount.path === folder) entries.push(...(await mount.files.list(folder, scope)));
    else if (posix.dirname(mount.path) === folder)
      entries.push({ name: posix.basename(mount.path), kind: 'directory' satisfies FileStat['kind'] });
  }
  return entries;
}

function sortedEntries(entries: readonly Entry[]): Entry[] {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return [...byName.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

async function mergeGrep(
  query: GrepQuery,
  base: FileSystem,
  below: readonly FileMount[],
  isMounted: (path: string) => boolean,
  scope: CallScope,
): Promise<GrepResult> {
  if (below.length === 0) return base.grep(query, scope);
  const offset = query.offset ?? 0;
  const whole = { ...query, offset: 0, limit: offset + query.limit };
  const results = [
    await base.grep(whole, scope),
    ...(await Promise.all(below.map((mount) => mount.files.grep({ ...whole, path: mount.path }, scope)))),
  ];
  const [own, ...others] = results as [GrepResult, ...GrepResult[]];
  const lines = [...(await withoutShadowed(own.lines, query, base, isMounted, scope)), ...others.flatMap((result) => result.lines)];
  return {
    ...own,
    lines: lines.slice(offset, offset + query.limit),
    truncated: lines.length > offset + query.limit || results.some(({ truncated }) => truncated),
    total: undefined,
  };
}

// A file of the base that stands where something is mounted is not there for anybody.
async function withoutShadowed(
  lines: readonly string[],
  query: GrepQuery,
  base: FileSystem,
  isMounted: (path: string) => boolean,
  scope: CallScope,
): Promise<readonly string[]> {
  const all = { ...query, mode: 'files_with_matches', before: 0, after: 0, offset: undefined, limit: Number.POSITIVE_INFINITY } as const;
  const shadowed = (await base.grep(all, scope)).lines.filter(isMounted);
  if (shadowed.length === 0) return lines;
  return lines.filter((line) => !shadowed.some((path) => line === path || line.startsWith(`${path}:`) || line.startsWith(`${path}-`)));
}
