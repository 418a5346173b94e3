import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../core/paths/is-inside.js';

/** What a place shows inside: nothing, nothing but what is written to it there, or what it holds outside. */
export type View = 'empty' | 'scratch' | 'read' | 'write';

/**
 * What each place shows inside, where the deepest one that holds a path decides. Mounts are made at canonical paths
 * only, as bubblewrap fails at a link; a link that is lost in an empty place is made again.
 */
export class MountPlan {
  readonly #views = new Map<string, View>();
  readonly #links = new Map<string, string>();

  /** What is not there, or out of reach for this user, is so inside too; but a place to write to is made in a folder. */
  show(path: string, view: View): void {
    const real = canonical(path) ?? (view === 'scratch' && isFolder(dirname(path)) ? path : undefined);
    if (real === undefined) return;
    this.#views.set(real, view);
    if (real !== path) this.keepLink(path);
  }

  /** Empties a place, whatever was to be shown in it. */
  hide(path: string): void {
    const real = canonical(path);
    if (real === undefined) return;
    for (const inner of this.#views.keys()) if (isInside(inner, [real])) this.#views.delete(inner);
    this.#views.set(real, 'empty');
  }

  /** Makes a path lead inside to where it leads outside. */
  keepLink(path: string): void {
    const link = firstLink(path);
    const target = link && canonical(link);
    if (target) this.#links.set(link, target);
  }

  /** The arguments of bubblewrap; folders come before what is in them. */
  arguments(): string[] {
    const places = [...this.#views].sort(([a], [b]) => (a < b ? -1 : 1));
    const changed = places.filter(([path, view]) => {
      const around = this.#around(path);
      return path !== '/' && view !== around && !(view === 'empty' && isBare(around));
    });
    const links = [...this.#links].filter(([link]) => isBare(this.#around(link)));
    return [
      ...mount('/', this.#views.get('/') ?? 'read'),
      ...['--dev', '/dev', '--proc', '/proc'],
      ...kernelSettings().flatMap((path) => ['--ro-bind-try', path, path]),
      ...changed.flatMap(([path, view]) => mount(path, view)),
      ...links.flatMap(([link, target]) => ['--symlink', target, link]),
      // At last, as mounts in them need folders to be made.
      ...changed.flatMap(([path, view]) => (view === 'empty' && isFolder(path) ? ['--remount-ro', path] : [])),
    ];
  }

  #around(path: string): View {
    const parent = dirname(path);
    return this.#views.get(parent) ?? (parent === '/' ? 'read' : this.#around(parent));
  }
}

/** A path with its links followed; undefined where there is nothing, or nothing within reach. */
export function canonical(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Whether a Unix socket is there and within reach. */
export function isSocket(path: string): boolean {
  return canonical(path) !== undefined && statSync(path).isSocket();
}

/**
 * What `/proc` holds besides processes and can be written to, `/proc/sys` above all: it belongs to the whole machine, and
 * its owner, user id 0, may write to it without any capability.
 */
function kernelSettings(): readonly string[] {
  const entries = readdirSync('/proc', { withFileTypes: true }).filter(({ name }) => !/^\d+$/.test(name));
  return entries.flatMap((entry) => {
    const path = join('/proc', entry.name);
    return entry.isDirectory() || (entry.isFile() && isWritten(path)) ? [path] : [];
  });
}

const isWritten = (path: string) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o222) !== 0;

const isBare = (view: View) => view === 'empty' || view === 'scratch';

function mount(path: string, view: View): string[] {
  if (!isBare(view)) return [view === 'write' ? '--bind' : '--ro-bind', path, path];
  return isFolder(path) || canonical(path) === undefined ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
}

function isFolder(path: string): boolean {
  return canonical(path) !== undefined && statSync(path).isDirectory();
}

/** The first link on the way of a path; undefined for a canonical one. */
function firstLink(path: string): string | undefined {
  const full = resolve(path);
  if (canonical(full) === full) return undefined;
  return firstLink(dirname(full)) ?? full;
}
