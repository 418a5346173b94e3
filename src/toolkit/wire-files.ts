import { resolve } from 'node:path';
import type { Caller, CallScope } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import type { RecordedChange } from '../core/registry/toolkit.js';
import { announceChanges } from '../files/announced-files.js';
import { cacheReads } from '../files/cached-files.js';
import { HostFiles, type HostFilesOptions } from '../files/host-files.js';
import { hideFiles } from '../files/mounts/hidden-files.js';
import { isMounted, mountFiles } from '../files/mounts/mounted-files.js';
import { type ServedFolder, serveFolder } from '../files/mounts/served-folder.js';
import { trackFiles } from '../files/tracked-files.js';
import type { FileChange } from '../files/undo/file-change.js';
import { FileChanges } from '../files/undo/file-changes.js';
import { recordedChange } from '../files/undo/recorded-change.js';
import type { FileSystem } from '../ports/file-system.js';
import type { Permissions } from '../ports/permissions.js';
import type { Shell } from '../ports/shell.js';
import type { Scrubber } from '../secrets/scrubber.js';
import type { SpillFolder } from '../sessions/spill-folder.js';
import type { ToolkitOptions } from './toolkit-options.js';

/** The files of a toolkit. */
export interface WiredFiles {
  /** What tools work on: the disk or what stands in for it, with mounts, without what rules hide. */
  readonly plain: FileSystem;
  /** The same, with every change recorded where undo is on. */
  readonly tracked: FileSystem;
  /** The disk, where tools work on it. */
  readonly disk: HostFiles | undefined;
  readonly changes: FileChanges | undefined;
  /** A shell whose commands are noted as they begin and end, for undo: they change files as well. */
  noting(shell: Shell): Shell;
  /** The changes of a session, for the program. */
  recorded(caller: Caller): readonly RecordedChange[];
  dispose(): Promise<void>;
}

/** So many sessions are known to have been told where mounted files are. */
const maxHinted = 10_000;

/** Puts the files together: disk or host, hidden by rules, mounts, undo. `onChanged` hears of each file that changes. */
export function wireFiles(
  options: ToolkitOptions,
  permissions: Pick<Permissions, 'hidesPath'>,
  spill: SpillFolder,
  limits: Limits,
  scrubber: Scrubber | false,
  onChanged: (path: string, scope: CallScope) => void,
): WiredFiles {
  const {
    hosts = {},
    root,
    additionalRoots = [],
    relativePaths = 'reject',
    mounts = [],
    timers,
    files: settings = {},
  } = options;
  const hides = (from: 'everything' | 'searches') => (path: string) =>
    permissions.hidesPath?.(path, plain.root, from) === true;
  const disk =
    hosts.files === undefined
      ? new HostFiles({
          root,
          additionalRoots,
          relativePaths,
          limits,
          isHidden: hides('everything'),
          isUnsearchable: hides('searches'),
          readOnlyRoots: () => (spill.path === undefined ? [] : [spill.path]),
          timers,
          ripgrep: settings.ripgrep,
        })
      : undefined;
  const spilled = new SpilledFiles(spill, limits, { isHidden: hides('everything'), isUnsearchable: hides('searches') });
  const hidden = (given: FileSystem) => hideFiles(given, hides('everything'), hides('searches'));
  const base = disk ?? serveFolder(hidden(hosts.files as FileSystem), spilled);
  const shared = settings.cacheReads === true ? cacheReads(base, { limits: limits.read }) : base;
  const placed = mounts.map((mount) => {
    const path = resolve(base.root, mount.path);
    const files = typeof mount.files === 'function' ? mount.files(path) : mount.files;
    return { path, files: hidden(files), claims: (name: string) => mount.claims?.(name) ?? true };
  });
  const mounted = mountFiles(shared, placed);
  const hinted = new Set<string>();
  /** Said once a session, since the disk that a command sees may have a file of the same name, or none. */
  const mountHint = (command: string, { caller: { sessionId } }: CallScope): string => {
    const isNamed = (word: string) => word !== '' && placed.some((mount) => isMounted(mount, resolve(base.root, word)));
    const name = hinted.has(sessionId) ? undefined : command.split(/[\s'"`=<>|;&(){}]+/).find(isNamed);
    if (name === undefined) return '';
    if (hinted.size > maxHinted) hinted.clear();
    hinted.add(sessionId);
    return `\n[${name} is not on the disk that commands see. Use Read, Write, Edit, Grep and Glob for it.]`;
  };
  const plain = announceChanges(mounted, onChanged);
  const changes =
    options.features?.undo === true
      ? new FileChanges({
          ...{ folder: settings.undoFolder, limits: limits.write },
          onAdd: (change, scope) => void told(change, scope).catch(() => {}),
        })
      : undefined;
  const show = (text: string) => (scrubber === false ? text : scrubber.text(text));
  const recorded = (change: FileChange) => recordedChange(change, changes as FileChanges, plain, show);
  const told = async (change: FileChange, scope: CallScope) => options.onFileChange?.(recorded(change), scope);
  return {
    plain,
    tracked: changes === undefined ? plain : trackFiles(plain, changes),
    disk,
    changes,
    noting: (shell) => ({
      run: (request, scope) => {
        changes?.noteCommand(scope.caller);
        const hint = mountHint(request.command, scope);
        const ran = shell.run(request, scope).finally(() => changes?.noteCommand(scope.caller));
        return hint === '' ? ran : ran.then((outcome) => ({ ...outcome, output: outcome.output.trimEnd() + hint }));
      },
    }),
    recorded: (caller) => changes?.of(caller).map(recorded) ?? [],
    dispose: async () => {
      await disk?.[Symbol.asyncDispose]();
      await spilled[Symbol.asyncDispose]();
    },
  };
}

/** The folder that long output is kept in, for a toolkit whose files are not those of the disk. */
class SpilledFiles implements ServedFolder, AsyncDisposable {
  readonly #spill: SpillFolder;
  readonly #options: Omit<HostFilesOptions, 'root'>;
  #files: HostFiles | undefined;

  constructor(spill: SpillFolder, limits: Limits, hidden: Pick<HostFilesOptions, 'isHidden' | 'isUnsearchable'>) {
    this.#spill = spill;
    this.#options = { limits, ...hidden };
  }

  path(): string | undefined {
    return this.#spill.path;
  }

  files(): HostFiles {
    this.#files ??= new HostFiles({ ...this.#options, root: this.#spill.path ?? '' });
    return this.#files;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#files?.[Symbol.asyncDispose]();
  }
}
