import { resolve } from 'node:path';
import type { Caller, CallScope } from '../core/context.js';
import type { Limits } from '../core/limits.js';
import type { RecordedChange } from '../core/registry/toolkit.js';
import type { Scrub } from '../core/text/scrub-excerpt.js';
import { cacheReads } from '../files/cache-reads.js';
import { announceChanges, trackFiles } from '../files/change-tracking.js';
import { HostFiles, type HostFilesOptions } from '../files/host-files.js';
import { hideFiles } from '../files/mounts/hidden-files.js';
import { isMounted, mountFiles } from '../files/mounts/mounted-files.js';
import { type ServedFolder, serveFolder } from '../files/mounts/serve-folder.js';
import { canonicalRoot } from '../files/paths/confinement.js';
import { FileChanges } from '../files/undo/change-log.js';
import type { FileChange } from '../files/undo/file-change.js';
import { recordedChange } from '../files/undo/recorded-change.js';
import type { FileSystem } from '../ports/file-system.js';
import type { Permissions } from '../ports/permissions.js';
import type { Shell } from '../ports/shell.js';
import type { sessionListeners } from '../sessions/listeners.js';
import type { SpillFolder } from '../sessions/spill-folder.js';
import type { ToolkitOptions } from './options.js';

export interface WiredFiles {
  /** The path of the root folder. On the disk, it is canonical: symlinks are resolved. */
  readonly root: string;
  /** Whether rules hide a path from everything, or from searches. */
  hides(path: string, from: 'everything' | 'searches'): boolean;
  /** The files for tools: the disk or the host's files, with mounts, without hidden paths. */
  readonly plain: FileSystem;
  /** The same files; changes are recorded if undo is enabled. */
  readonly tracked: FileSystem;
  /** The disk; undefined if the host provides the files. */
  readonly disk: HostFiles | undefined;
  readonly changes: FileChanges | undefined;
  /** A shell that notes the start and end of each command for undo, because commands change files too. */
  noting(shell: Shell): Shell;
  /** The changes of a session, for the program. */
  recorded(caller: Caller): readonly RecordedChange[];
  dispose(): Promise<void>;
}

/** The maximum size of the set of sessions that have got the mount hint. */
const maxHinted = 10_000;

export interface FileParts {
  readonly permissions: Pick<Permissions, 'hidesPath'>;
  readonly spill: SpillFolder;
  readonly limits: Limits;
  readonly scrub: Scrub;
  /** Notified of each changed file. */
  readonly listeners: Pick<ReturnType<typeof sessionListeners>, 'tell'>;
}

/** Combines the disk or the host's files with hiding rules, mounts and undo. */
export function wireFiles(options: ToolkitOptions, parts: FileParts): WiredFiles {
  const { hosts = {}, mounts = [], timers, files: settings = {} } = options;
  const { permissions, spill, limits, scrub, listeners } = parts;
  const root = hosts.files?.root ?? canonicalRoot(options.root, 'root');
  const hides: WiredFiles['hides'] = (path, from) => permissions.hidesPath?.(path, root, from) === true;
  const isHidden = (path: string) => hides(path, 'everything');
  const isUnsearchable = (path: string) => hides(path, 'searches');
  const disk =
    hosts.files === undefined
      ? new HostFiles({
          ...{ root, limits, isHidden, isUnsearchable, timers, ripgrep: settings.ripgrep },
          additionalRoots: options.additionalRoots ?? [],
          relativePaths: options.relativePaths ?? 'reject',
          readOnlyRoots: () => (spill.path === undefined ? [] : [spill.path]),
        })
      : undefined;
  const spilled = new SpilledFiles(spill, limits, { isHidden, isUnsearchable });
  const hidden = (given: FileSystem) => hideFiles(given, isHidden, isUnsearchable);
  const base = disk ?? serveFolder(hidden(hosts.files as FileSystem), spilled);
  const shared = settings.cacheReads === true ? cacheReads(base, { limits: limits.read }) : base;
  const placed = mounts.map((mount) => {
    const path = resolve(base.root, mount.path);
    const files = typeof mount.files === 'function' ? mount.files(path) : mount.files;
    return { path, files: hidden(files), claims: (name: string) => mount.claims?.(name) ?? true };
  });
  const mounted = mountFiles(shared, placed);
  const hinted = new Set<string>();
  /**
   * The hint that a command names a mounted path, given once per session. The disk may have a different file at that
   * path, or none.
   */
  const mountHint = (command: string, { caller: { sessionId } }: CallScope): string => {
    const isNamed = (word: string) => word !== '' && placed.some((mount) => isMounted(mount, resolve(base.root, word)));
    const name = hinted.has(sessionId) ? undefined : command.split(/[\s'"`=<>|;&(){}]+/).find(isNamed);
    if (name === undefined) return '';
    if (hinted.size > maxHinted) hinted.clear();
    hinted.add(sessionId);
    return `\n[${name} is not on the disk that commands see. Use Read, Write, Edit, Grep and Glob for it.]`;
  };
  const plain = announceChanges(mounted, (path, { caller }) =>
    listeners.tell({ type: 'files-changed', paths: [path] }, caller),
  );
  const changes =
    options.features?.undo === true
      ? new FileChanges({
          ...{ folder: settings.undoFolder, limits: limits.write },
          onAdd: (change, scope) => void notifyHost(change, scope).catch(() => {}),
        })
      : undefined;
  const recorded = (change: FileChange) => recordedChange(change, changes as FileChanges, plain, scrub);
  const notifyHost = async (change: FileChange, scope: CallScope) => options.onFileChange?.(recorded(change), scope);
  return {
    root,
    hides,
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

/** The folder of spilled output, for a toolkit with files of the host. */
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
