import { isAbsolute, resolve } from 'node:path';
import type { AnnounceListener } from '../agents/announcement-queue.js';
import { sharedKinds } from '../call/run-options.js';
import type { CallScope } from '../core/context.js';
import type { ToolEventListener } from '../core/event.js';
import type { RecordedChange } from '../core/registry/toolkit.js';
import {
  assertOptions,
  kindName,
  kindOf,
  type OptionKind,
  type OptionKinds,
  type OptionsOf,
  oneOf,
  orFalse,
} from '../core/support/check-values.js';
import type { FileMount } from '../files/mounts/mounted-files.js';
import { existingFolder } from '../files/paths/confinement.js';
import { fileSystemKind, hostKinds } from '../ports/check-hosts.js';
import type { Hosts } from '../ports/hosts.js';
import { assertSandbox, isSandboxFunction, type SandboxOption, sandboxKind } from '../shell/sandbox/option.js';
import { type WebSettings, webKinds } from '../web/fetch/create-http-client.js';
import type { RegistryFor } from './caller-registries.js';

/** How commands run. */
export interface ShellSettings extends OptionsOf<typeof shellKinds> {}

const shellKinds = {
  /**
   * Environment variables for every command, in addition to the allowlisted variables of this process. Default none.
   */
  env: kindOf.textsByName,
  /** Ask about a recursive delete of folders inside the roots instead of refusing it. Default false. */
  allowRecursiveDeleteInside: kindOf.flag,
  /** Keep the working directory that `cd` sets, if it is inside the roots, for each session. Default false. */
  cwdPersists: kindOf.flag,
  /** Move a command to the background at its time limit instead of ending it. Default false. */
  autoBackground: kindOf.flag,
  /**
   * Let Bash run commands in a pseudo-terminal, to which the tool `process` sends input. Needs the optional packages
   * `@lydell/node-pty` and `@xterm/headless`. Default false.
   */
  interactive: kindOf.flag,
  /** Separate stdout and stderr in results and their metadata. Default false: one text in the order of writing. */
  separateOutput: kindOf.flag,
};

/** How files are read, searched and changed. */
export interface FileSettings extends OptionsOf<typeof fileKinds> {}

const fileKinds = {
  /** Refuse to change a file that this session has not read. Default false. */
  readBeforeWrite: kindOf.flag,
  /**
   * Report new syntax errors after a change of a JSON, JavaScript or TypeScript file; the change stays. Default false.
   */
  syntaxCheck: kindOf.flag,
  /** Answer a repeated Read of an unchanged part with a reference to the earlier call. Default false. */
  namesUnchanged: kindOf.flag,
  /** Cache the contents of unchanged files in memory, for slow file systems; sessions share it. Default false. */
  cacheReads: kindOf.flag,
  /**
   * Absolute path of a folder that keeps the undo history across restarts. Only one toolkit at a time may use it.
   * Default: the history is kept in memory.
   */
  undoFolder: kindOf.absolutePath,
  /**
   * Path of ripgrep, or false to search without it. Default: from `TOOLWRIGHT_RIPGREP`, the optional package or PATH.
   */
  ripgrep: orFalse(kindOf.absolutePath),
};

/** How the tools of MCP servers are named. */
export interface McpSettings extends OptionsOf<typeof mcpKinds> {}

const mcpKinds = {
  /** The prefix of tool names, including trailing underscores. Rules ignore the prefix. Default `mcp__`. */
  prefix: kindOf.text,
};

/** Optional features, off by default. */
export interface Features extends OptionsOf<typeof featureKinds> {}

const featureKinds = {
  /** The tools UndoFile and UndoTurn; needed for `onFileChange` and `fileChanges`. Default false. */
  undo: kindOf.flag,
  /** The tools TodoRead, TaskCreate, TaskGet, TaskUpdate and TaskList. Default false. */
  tasks: kindOf.flag,
  /**
   * The tools TeamCreate, SendMessage and TeamDelete. Default: true if the environment variable
   * `CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS` is set and is not empty, 0 or false.
   */
  teams: kindOf.flag,
  /** The tools sessions_list, sessions_history, sessions_send and session_status. Default false. */
  sessions: kindOf.flag,
  /** The tool ApplyPatch, which changes several files atomically: all of them or none. Default false. */
  applyPatch: kindOf.flag,
  /** The tools ApplyPatch, View and RestartShell, for calls of the native tool types of providers. Default false. */
  native: kindOf.flag,
  /** Also offer the tools whose host is missing, such as WebSearch without `hosts.search`. Default false. */
  offerAll: kindOf.flag,
};

/** Options of {@link createToolkit}. Only `root` is required. */
export interface ToolkitOptions extends OptionsOf<typeof optionKinds> {
  /** The workspace: an absolute path of an existing folder. */
  readonly root: string;
}

const optionKinds = {
  /** Absolute paths of further folders that tools may use. Default none. */
  additionalRoots: kindOf.absolutePaths as OptionKind<readonly string[]>,
  /** Reject relative paths in tool inputs, or resolve them from the root. Default `reject`. */
  relativePaths: oneOf('reject', 'resolve') as OptionKind<'reject' | 'resolve'>,
  ...sharedKinds,
  /** Implementations for files, shell, network, user input, stores and servers. Default: see each field. */
  hosts: kindOf.record as OptionKind<Hosts>,
  /** Selects the registry of each turn by its caller. Default: the toolkit's registry. */
  registryFor: kindOf.callback as OptionKind<RegistryFor>,
  /**
   * A sandbox for commands, optionally with settings. Default: commands run on this machine. A function is called once
   * for each `sandboxKey` of callers and once for callers without a key. Each key needs its own sandbox. If the
   * function returns undefined, commands run on this machine. The function is called again after the sessions that used
   * its result have ended.
   */
  sandbox: sandboxKind as OptionKind<SandboxOption>,
  /** How commands run. Default: see each field. */
  shell: kindOf.record as OptionKind<ShellSettings>,
  /** How files are read and changed. Default: see each field. */
  files: kindOf.record as OptionKind<FileSettings>,
  /** The addresses that WebFetch may reach. Default: all public addresses. */
  web: kindOf.record as OptionKind<WebSettings>,
  /** How the tools of MCP servers are named. Default: see each field. */
  mcp: kindOf.record as OptionKind<McpSettings>,
  /** Other file systems, each mounted at a path of the file tree. Default none. */
  mounts: kindOf.list as OptionKind<readonly FileMount[]>,
  /** Optional tools. Default: none. */
  features: kindOf.record as OptionKind<Features>,
  /**
   * The secret that signs suspensions: at least 32 random characters or bytes, the same in all processes that resume a
   * suspension. Default none: `approvals: 'suspend'` and `resume` reject.
   */
  suspensionSecret: {
    takes: 'at least 32 characters or bytes',
    shown: (value) =>
      isSecret(value) ? `${value.length} ${typeof value === 'string' ? 'characters' : 'bytes'}` : kindName(value),
    holds: (value) => isSecret(value) && value.length >= 32,
  } as OptionKind<string | Uint8Array>,
  /** Milliseconds for which a suspension can be resumed. Default 24 hours. */
  suspensionTtlMs: kindOf.milliseconds,
  /**
   * Receives the results of background subagents. `batch.text` is for the model of the parent agent, which is
   * `scope.caller`. If the callback throws, it is called again. Default: the results are appended to the parent's next
   * result as `additionalContext`.
   */
  onAnnounce: kindOf.callback as OptionKind<AnnounceListener>,
  /**
   * Called for each change of a file by a tool, except undos by UndoFile and UndoTurn; needs `features.undo`. Errors of
   * the callback are ignored. Default none.
   */
  onFileChange: kindOf.callback as OptionKind<(change: RecordedChange, scope: CallScope) => void>,
  /**
   * Receives every event of every session and background task, in addition to the listener of the turn. Default none.
   */
  onEvent: kindOf.callback as OptionKind<ToolEventListener>,
};

const isSecret = (value: unknown) => typeof value === 'string' || value instanceof Uint8Array;
const mountKinds: OptionKinds<FileMount> = {
  path: kindOf.text,
  files: {
    takes: `${fileSystemKind.takes}, or a function (path) that makes one`,
    holds: (value) => kindOf.callback.holds(value) || fileSystemKind.holds(value),
  },
  claims: kindOf.callback,
};

const nestedKinds = {
  hosts: hostKinds,
  shell: shellKinds,
  files: fileKinds,
  mcp: mcpKinds,
  web: webKinds,
  features: featureKinds,
};

/**
 * Throws a TypeError for a missing root, a value of the wrong type, and an unknown option. For an unknown option, the
 * error suggests similar names.
 */
export function checkToolkitOptions(options: ToolkitOptions): void {
  assertOptions('createToolkit', options, { root: kindOf.anything, ...optionKinds });
  const { root, hosts, sandbox: confined, web, mounts = [], features } = options;
  if (typeof root !== 'string') throw new TypeError('createToolkit: pass root, the absolute path of the workspace');
  for (const [name, kinds] of Object.entries(nestedKinds)) {
    const given = options[name as keyof typeof nestedKinds];
    if (given !== undefined) assertOptions(`createToolkit: ${name}`, given, kinds);
  }
  if (confined !== undefined && !isSandboxFunction(confined)) assertSandbox('createToolkit: sandbox', confined);
  if (web !== undefined && hosts?.http !== undefined)
    throw new TypeError(
      'createToolkit: web cannot be combined with hosts.http; pass the same settings to createHttpClient',
    );
  for (const mount of mounts) checkMount(mount);
  if (options.onFileChange !== undefined && features?.undo !== true)
    throw new TypeError('createToolkit: onFileChange needs features: { undo: true }');
  if (!isAbsolute(root))
    throw new TypeError(`createToolkit: root must be an absolute path, not ${JSON.stringify(root)}`);
  if (hosts?.files === undefined) return;
  refuseDiskOptions(options);
  const served = hosts.files.root;
  if (resolve(root) !== served && existingFolder(root) !== served)
    throw new TypeError(`createToolkit: root is ${root}, and hosts.files serves ${served}: write root: files.root`);
}

/** Rejects settings of the disk if the host provides the files. */
function refuseDiskOptions({ additionalRoots = [], relativePaths, files }: ToolkitOptions): void {
  const useless = [
    ...(additionalRoots.length > 0 ? ['additionalRoots'] : []),
    ...(relativePaths === 'resolve' ? ['relativePaths'] : []),
    ...(files?.ripgrep === undefined ? [] : ['files.ripgrep']),
  ];
  if (useless.length > 0)
    throw new TypeError(
      `createToolkit: ${useless.join(', ')} cannot be combined with hosts.files; pass the same settings to hostFiles, or to your own file system`,
    );
}

function checkMount(mount: FileMount): void {
  assertOptions('createToolkit: mounts', mount, mountKinds);
  if (mount.path === undefined || mount.files === undefined)
    throw new TypeError('createToolkit: each entry of mounts needs path and files');
}
