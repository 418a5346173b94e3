import { posix } from 'node:path';
import type { CallScope } from '../../core/context.js';
import { isInside } from '../../core/text/path-names.js';
import type { FileEntry, FileSystem, GlobQuery, GrepQuery } from '../../ports/file-system.js';
import { decorateFiles } from './decorate-files.js';
import { globSources, grepSources, type SearchSource } from './mounted-search.js';

/** A file system that serves some paths in place of another file system. */
export interface FileMount {
  /** The folder that the mount serves: absolute, or relative to the root of the toolkit (`.`). */
  readonly path: string;
  /** The file system, or a function that creates it for the absolute path of the folder. */
  readonly files: FileSystem | ((path: string) => FileSystem);
  /** Whether the mount serves a path; `name` is relative to the folder. Default: all paths below the folder. */
  readonly claims?: (name: string) => boolean;
}

/** A mount at its absolute path. */
export interface PlacedMount extends FileMount {
  readonly files: FileSystem;
}

interface Route {
  readonly files: FileSystem;
  readonly path: string;
  readonly mount: PlacedMount | undefined;
}

/** Routes each path to the mount that serves it (the one with the longest folder), and other paths to `base`. */
export function mountFiles(base: FileSystem, mounts: readonly PlacedMount[]): FileSystem {
  if (mounts.length === 0) return base;
  const ordered = [...mounts].sort((left, right) => right.path.length - left.path.length);
  const mountAt = (path: string) => ordered.find((mount) => isMounted(mount, path));

  const route = async (path: string, scope: CallScope, spelling?: 'exact'): Promise<Route> => {
    const plain = path.startsWith('/') && !path.includes('\0') ? posix.resolve(path) : undefined;
    const direct = plain === undefined ? undefined : mountAt(plain);
    if (direct !== undefined) return { files: direct.files, path, mount: direct };
    // A link or a relative path may also lead into a mount.
    const canonical = await base.resolve(path, scope, spelling);
    const linked = mountAt(canonical);
    return linked === undefined
      ? { files: base, path, mount: undefined }
      : { files: linked.files, path: canonical, mount: linked };
  };

  const mountsBelow = (folder: string) => ordered.filter((mount) => isInside(mount.path, [folder], 'linux'));

  return decorateFiles(base, {
    resolve: (path, scope, spelling) =>
      route(path, scope, spelling).then((to) => to.files.resolve(to.path, scope, spelling)),
    async stat(path, scope) {
      const to = await route(path, scope);
      const found = await to.files.stat(to.path, scope);
      if (found !== undefined || to.files !== base) return found;
      const folder = await base.resolve(to.path, scope);
      const [below] = mountsBelow(folder);
      const mounted = await below?.files.stat(below.path, scope);
      return mounted && { ...mounted, path: folder };
    },
    open: (path, scope) => route(path, scope).then((to) => to.files.open(to.path, scope)),
    update: (path, change, scope, spelling) =>
      route(path, scope, spelling).then((to) => to.files.update(to.path, change, scope, spelling)),
    remove: (path, scope) => route(path, scope).then((to) => to.files.remove(to.path, scope)),
    removeFolder: (path, scope) => route(path, scope).then((to) => to.files.removeFolder?.(to.path, scope) ?? false),
    async list(path, scope) {
      const to = await route(path, scope);
      if (to.files !== base) return await to.files.list(to.path, scope);
      const folder = await base.resolve(path, scope);
      const isBelow = mountsBelow(folder).length > 0 && (await base.stat(path, scope)) === undefined;
      const entries = isBelow ? [] : await base.list(path, scope);
      const own = entries.filter(({ name }) => mountAt(posix.join(folder, name)) === undefined);
      return sortedEntries([...(await mountedEntries(folder, mountsBelow(folder), scope)), ...own]);
    },
    async glob(query, scope) {
      const from = query.pattern.startsWith('/') ? plainFolder(query.pattern) : undefined;
      const mount = from === undefined ? undefined : mountAt(from);
      const to =
        mount === undefined
          ? await route(query.path ?? base.root, scope)
          : { files: mount.files, path: mount.path, mount };
      return globSources(await sourcesFor(to, query, scope), query, scope);
    },
    async grep(query, scope) {
      const to = await route(query.path ?? base.root, scope);
      return grepSources(await sourcesFor(to, query, scope), query, scope);
    },
  });

  // First the source that contains the searched folder, then each mount that may have files in that folder.
  async function sourcesFor(
    to: Route,
    { relativeTo }: GlobQuery | GrepQuery,
    scope: CallScope,
  ): Promise<SearchSource[]> {
    const folder = await to.files.resolve(to.path, scope);
    const source = (files: FileSystem, path: string, mount: FileMount | undefined, above: string | undefined) => {
      return { files, path, relativeTo: above, owns: (found: string) => mountAt(found) === mount };
    };
    const below = (mount: FileMount) => isInside(mount.path, [folder], 'linux');
    const others = ordered.filter(
      (mount) =>
        mount !== to.mount && (below(mount) || (mount.claims !== undefined && isInside(folder, [mount.path], 'linux'))),
    );
    return [
      source(to.files, to.path, to.mount, relativeTo),
      ...others.map((mount) =>
        below(mount)
          ? source(mount.files, mount.path, mount, relativeTo ?? folder)
          : source(mount.files, folder, mount, relativeTo),
      ),
    ];
  }
}

/** The part of an absolute pattern before its first wildcard, as a folder. */
function plainFolder(pattern: string): string {
  const segments = pattern.split('/');
  const wild = segments.findIndex((segment) => /[*?[\]{}()!+@\\]/.test(segment));
  return posix.resolve('/', segments.slice(0, wild === -1 ? -1 : wild).join('/'));
}

/** Whether a mount serves an absolute path. */
export function isMounted(mount: FileMount, path: string): boolean {
  if (!isInside(path, [mount.path], 'linux')) return false;
  const name = path.slice(mount.path.length).replace(/^\//, '');
  return mount.claims === undefined || mount.claims(name);
}

async function mountedEntries(folder: string, mounts: readonly PlacedMount[], scope: CallScope): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for (const mount of mounts) {
    const [name = ''] = posix.relative(folder, mount.path).split('/');
    if (name === '') for (const entry of await mount.files.list(folder, scope)) entries.push(entry);
    else entries.push({ name, kind: 'directory' });
  }
  return entries;
}

function sortedEntries(entries: readonly FileEntry[]): FileEntry[] {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return [...byName.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}
