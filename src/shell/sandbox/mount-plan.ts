import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ifPossible } from '../../core/support/check-values.js';
import { isInside } from '../../core/text/path-names.js';

/** What a path shows in the sandbox: nothing, an empty writable folder, or the real content, read-only or writable. */
export type View = 'empty' | 'scratch' | 'read' | 'write';

/**
 * Decides what each path shows in the sandbox. The deepest entry for a path wins. Mounts use canonical paths, because
 * bubblewrap fails at symlinks. A symlink in a folder that appears empty is recreated.
 */
export class MountPlan {
  readonly #views = new Map<string, View>();
  readonly #links = new Map<string, string>();

  /**
   * Sets what a path shows. A missing or unreadable path is skipped. Exception: bubblewrap creates a missing `scratch`
   * folder, which needs an existing parent that is not read-only.
   */
  show(path: string, view: View): void {
    const real = canonical(path) ?? (view === 'scratch' && isFolder(dirname(path)) ? path : undefined);
    if (real === undefined) return;
    this.#views.set(real, view);
    if (real !== path) this.keepLink(path);
  }

  /** Hides a path, overriding `show`. */
  hide(path: string): void {
    const real = canonical(path);
    if (real === undefined) return;
    for (const inner of this.#views.keys()) if (isInside(inner, [real])) this.#views.delete(inner);
    this.#views.set(real, 'empty');
  }

  /** Recreates the first symlink of a path in the sandbox. */
  keepLink(path: string): void {
    const link = firstLink(path);
    const target = link && canonical(link);
    if (target) this.#links.set(link, target);
  }

  /** The arguments of bubblewrap; folders come before their content. */
  arguments(): string[] {
    const views = [...this.#views].sort(([a], [b]) => (a < b ? -1 : 1));
    const changed = views.filter(([path, view]) => {
      const parentView = this.#viewOfParent(path);
      const isPossible = parentView !== 'read' || canonical(path) !== undefined;
      return path !== '/' && view !== parentView && isPossible && !(view === 'empty' && startsEmpty(parentView));
    });
    const links = [...this.#links].filter(([link]) => startsEmpty(this.#viewOfParent(link)));
    return [
      ...mount('/', this.#views.get('/') ?? 'read'),
      ...['--dev', '/dev', '--proc', '/proc'],
      ...kernelSettings().flatMap((path) => ['--ro-bind-try', path, path]),
      ...changed.flatMap(([path, view]) => mount(path, view)),
      ...links.flatMap(([link, target]) => ['--symlink', target, link]),
      // These come last, because bubblewrap may have to create folders for mounts inside them.
      ...changed.flatMap(([path, view]) => (view === 'empty' && isFolder(path) ? ['--remount-ro', path] : [])),
    ];
  }

  #viewOfParent(path: string): View {
    const parent = dirname(path);
    return this.#views.get(parent) ?? (parent === '/' ? 'read' : this.#viewOfParent(parent));
  }
}

/** The canonical path; undefined if missing or unreadable. */
export function canonical(path: string): string | undefined {
  return ifPossible(() => realpathSync.native(path));
}

/** Whether a path is an accessible Unix socket. */
export function isSocket(path: string): boolean {
  return ifPossible(() => statSync(path).isSocket()) === true;
}

/**
 * The folders and writable files of `/proc` except those of processes, above all `/proc/sys`. A write to them affects
 * the whole machine and needs no capability for user id 0.
 */
function kernelSettings(): readonly string[] {
  const entries = readdirSync('/proc', { withFileTypes: true }).filter(({ name }) => !/^\d+$/.test(name));
  return entries.flatMap((entry) => {
    const path = join('/proc', entry.name);
    return entry.isDirectory() || (entry.isFile() && isWritable(path)) ? [path] : [];
  });
}

const isWritable = (path: string) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o222) !== 0;

const startsEmpty = (view: View) => view === 'empty' || view === 'scratch';

function mount(path: string, view: View): string[] {
  if (!startsEmpty(view)) return [view === 'write' ? '--bind' : '--ro-bind', path, path];
  return isFolder(path) || canonical(path) === undefined ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
}

function isFolder(path: string): boolean {
  return canonical(path) !== undefined && statSync(path).isDirectory();
}

/** The first symlink in a path; undefined for a canonical path. */
function firstLink(path: string): string | undefined {
  const full = resolve(path);
  if (canonical(full) === full) return undefined;
  return firstLink(dirname(full)) ?? full;
}
