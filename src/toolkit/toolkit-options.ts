import { isAbsolute, resolve } from 'node:path';
import type { AnnounceListener } from '../agents/announce-queue.js';
import { runKinds } from '../call/run/run-option-kinds.js';
import type { RetryOptions } from '../call/run/settings.js';
import type { CallScope } from '../core/context.js';
import type { ToolEventListener } from '../core/event.js';
import type { LimitOverrides } from '../core/limits.js';
import type { RecordedChange } from '../core/registry/toolkit.js';
import { kindThatCame } from '../core/support/argument-mistake.js';
import {
  assertOptions,
  having,
  kindOf,
  type OptionKinds,
  oneOf,
  orFalse,
  timersKind,
} from '../core/support/option-kinds.js';
import type { Timers } from '../core/support/timers.js';
import type { FileMount } from '../files/mounts/mounted-files.js';
import { existingFolder } from '../files/paths/canonical-root.js';
import type { PolicyConfig } from '../permissions/policy/config.js';
import type { DeadLetters } from '../ports/dead-letters.js';
import type { ToolHooks } from '../ports/hooks.js';
import { fileSystemKind, hostKinds } from '../ports/host-kinds.js';
import type { Hosts } from '../ports/hosts.js';
import type { PermissionMode, Permissions } from '../ports/permissions.js';
import type { PlanMode } from '../ports/planning/plan-mode.js';
import type { Policy } from '../ports/policy.js';
import type { RateLimiter } from '../ports/rate-limiter.js';
import type { ToolResolver } from '../ports/tool-resolver.js';
import type { Scrubber } from '../secrets/scrubber.js';
import { type WebSettings, webKinds } from '../web/fetch/create-http-client.js';
import type { RegistryFor } from './caller-registries.js';
import { type Features, featureKinds } from './features.js';
import { assertSandbox, isSandboxFunction, type SandboxOption, sandboxKind } from './sandbox-option.js';

/** How commands run. */
export interface ShellSettings {
  /** Variables for every command, over the allowlisted ones of this process. Default none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Ask about a recursive delete of folders inside the roots instead of refusing it. Default false. */
  readonly allowRecursiveDeleteInside?: boolean | undefined;
  /** `cd` lasts from one command of a session to the next, inside the roots. Default false. */
  readonly cwdPersists?: boolean | undefined;
  /** At its time limit a command goes on in the background in place of being ended. Default false. */
  readonly autoBackground?: boolean | undefined;
  /**
   * Lets Bash run commands on a terminal of their own, which the tool `process` types into; needs the optional packages
   * `@lydell/node-pty` and `@xterm/headless`. Default false.
   */
  readonly interactive?: boolean | undefined;
  /**
   * Keeps stdout and stderr apart: results show the one and then the other, and their metadata holds each. Default
   * false: both in the order they are written.
   */
  readonly separateOutput?: boolean | undefined;
}

/** How files are changed. */
export interface FileSettings {
  /** Refuse to change a file that this session has not read. Default false. */
  readonly readBeforeWrite?: boolean | undefined;
  /**
   * After a change of a JSON, JavaScript or TypeScript file, tell of syntax errors that it brought in; the change
   * stays. Default false.
   */
  readonly syntaxCheck?: boolean | undefined;
  /** Answer a repeated Read of the same part of an unchanged file by naming the call that showed it. Default false. */
  readonly namesUnchanged?: boolean | undefined;
  /**
   * Keep what was read in memory for all sessions, as long as the file is in the same state; worth it where files are
   * slow to read. Default false.
   */
  readonly cacheReads?: boolean | undefined;
  /**
   * Absolute folder in which the record for undo survives a restart, for one toolkit at a time. Default: it is kept in
   * memory.
   */
  readonly undoFolder?: string | undefined;
  /**
   * Path of the ripgrep program, or false to search without it. Default: found by the variable `TOOLWRIGHT_RIPGREP`,
   * the optional package, or PATH.
   */
  readonly ripgrep?: string | false | undefined;
}

/** How the tools of MCP servers are offered. */
export interface McpSettings {
  /** What their names begin with, up to the underscores that join server and tool; no rule goes by it. Default `mcp__`. */
  readonly prefix?: string | undefined;
}

/** What a toolkit is made from. Only `root` is required. */
export interface ToolkitOptions {
  /** The workspace: an absolute path of an existing folder. */
  readonly root: string;
  /** More folders that tools may work in: absolute paths. Default none. */
  readonly additionalRoots?: readonly string[] | undefined;
  /** Whether relative paths in tool inputs are refused or taken from the root. Default `reject`. */
  readonly relativePaths?: 'reject' | 'resolve' | undefined;
  /**
   * A mode name, what `createPermissions` gives, or anything with `check`. Default: mode `default` with nobody to ask.
   */
  readonly permissions?: PermissionMode | Permissions | undefined;
  /** What hears of each call before and after it, and may change or deny it. Default none. */
  readonly hooks?: ToolHooks | undefined;
  /** What your program puts in the place of files, shell, network, people, stores and servers. Default: see each. */
  readonly hosts?: Hosts | undefined;
  /**
   * A policy, or the configuration of one. Default: everything for the main agent, and for subagents what they may have
   * at their depth.
   */
  readonly policy?: Policy | PolicyConfig | undefined;
  /** Knows which sessions plan, and queues their calls. Default: `createPlanMode()`. */
  readonly planMode?: PlanMode | undefined;
  /** Says whether a call may run now, such as `createRateLimiter({ max: 100 })`. Default: every call may. */
  readonly rateLimiter?: RateLimiter | undefined;
  /**
   * Takes credentials out of all that leaves a call; `false` switches that off. Default: `createScrubber()`, with the
   * keys of the search service.
   */
  readonly scrubber?: Scrubber | false | undefined;
  /** How often a call that failed and may be repeated is tried. Default: once. */
  readonly retry?: RetryOptions | undefined;
  /** Keeps calls that failed in spite of `retry`, such as `createDeadLetters()`. Default: nothing keeps them. */
  readonly deadLetters?: DeadLetters | undefined;
  /** Finds or makes a tool by a name that the registry does not know. Default: such a call answers `unknown_tool`. */
  readonly toolResolver?: ToolResolver | undefined;
  /** Chooses the registry of each turn by its caller. Default: all have that of the toolkit. */
  readonly registryFor?: RegistryFor | undefined;
  /**
   * A sandbox for commands, or one with its settings. Default: they run on this machine. A function is asked once for
   * each `sandboxKey` of callers, and once for those without; each key needs a sandbox of its own, and `undefined` means
   * this machine. It is asked again after the sessions that used the answer were ended.
   */
  readonly sandbox?: SandboxOption | undefined;
  /** How commands run. Default: see each. */
  readonly shell?: ShellSettings | undefined;
  /** How files are read and changed. Default: see each. */
  readonly files?: FileSettings | undefined;
  /** What WebFetch may reach. Default: every public address. */
  readonly web?: WebSettings | undefined;
  /** How the tools of MCP servers are named. Default: see each. */
  readonly mcp?: McpSettings | undefined;
  /** Places of the file tree that other file systems serve. Default none. */
  readonly mounts?: readonly FileMount[] | undefined;
  /** Tools that are off unless they are asked for. Default: see each. */
  readonly features?: Features | undefined;
  /**
   * Signs suspensions: at least 32 random characters or bytes, the same in every process that resumes them. Default
   * none, and `approvals: 'suspend'` and `resume` reject.
   */
  readonly suspensionSecret?: string | Uint8Array | undefined;
  /** Milliseconds for which a suspension can be resumed. Default 24 hours. */
  readonly suspensionTtlMs?: number | undefined;
  /**
   * Takes the ends of background subagents, for the model of their parent: `batch.text`, with `scope.caller` as the
   * parent. One that throws is told again. Default: they come with the next result of the parent as `additionalContext`.
   */
  readonly onAnnounce?: AnnounceListener | undefined;
  /**
   * Hears of each change that a tool made to a file, not of one that UndoFile or UndoTurn takes back; needs
   * `features.undo`. What it throws is swallowed. Default none.
   */
  readonly onFileChange?: ((change: RecordedChange, scope: CallScope) => void) | undefined;
  /** Hears every event of every session, besides the listener of the turn; background tasks too. Default none. */
  readonly onEvent?: ToolEventListener | undefined;
  /**
   * Other numbers than the defaults, by group, such as `{ bash: { timeoutMs: 60_000 } }`: durations in milliseconds, sizes
   * in bytes or characters. Default: `defaultLimits`.
   */
  readonly limits?: LimitOverrides | undefined;
  /** Calls at the same time; 1 = strictly one after the other. Default 10. */
  readonly concurrency?: number | undefined;
  /** Clock and timers of calls, commands, tasks, searches and the web, for tests. Default: those of the platform. */
  readonly timers?: Timers | undefined;
}

const decider = having('permissions', 'check');

const optionKinds: OptionKinds<ToolkitOptions> = {
  root: kindOf.anything,
  additionalRoots: kindOf.absolutePaths,
  relativePaths: oneOf('reject', 'resolve'),
  permissions: {
    takes:
      'a mode name, what createPermissions({ allow, ask, deny }) gives, or what has a method check(request, scope)',
    holds: (value) => typeof value === 'string' || decider.holds(value),
  },
  hooks: runKinds.hooks,
  hosts: kindOf.record,
  policy: runKinds.policy,
  planMode: runKinds.planMode,
  rateLimiter: runKinds.rateLimiter,
  scrubber: runKinds.scrubber,
  retry: runKinds.retry,
  deadLetters: runKinds.deadLetters,
  toolResolver: runKinds.toolResolver,
  registryFor: kindOf.callback,
  sandbox: sandboxKind,
  shell: kindOf.record,
  files: kindOf.record,
  web: kindOf.record,
  mcp: kindOf.record,
  mounts: kindOf.list,
  features: kindOf.record,
  suspensionSecret: {
    takes: 'at least 32 characters or bytes',
    shown: (value) =>
      isSecret(value) ? `${value.length} ${typeof value === 'string' ? 'characters' : 'bytes'}` : kindThatCame(value),
    holds: (value) => isSecret(value) && value.length >= 32,
  },
  suspensionTtlMs: kindOf.milliseconds,
  onAnnounce: kindOf.callback,
  onFileChange: kindOf.callback,
  onEvent: kindOf.callback,
  limits: runKinds.limits,
  concurrency: runKinds.concurrency,
  timers: timersKind,
};
const isSecret = (value: unknown) => typeof value === 'string' || value instanceof Uint8Array;
const mcpKinds: OptionKinds<McpSettings> = { prefix: kindOf.text };
const shellKinds: OptionKinds<ShellSettings> = {
  env: kindOf.textsByName,
  allowRecursiveDeleteInside: kindOf.flag,
  cwdPersists: kindOf.flag,
  autoBackground: kindOf.flag,
  interactive: kindOf.flag,
  separateOutput: kindOf.flag,
};
const fileKinds: OptionKinds<FileSettings> = {
  readBeforeWrite: kindOf.flag,
  syntaxCheck: kindOf.flag,
  namesUnchanged: kindOf.flag,
  cacheReads: kindOf.flag,
  undoFolder: kindOf.absolutePath,
  ripgrep: orFalse(kindOf.absolutePath),
};
const mountKinds: OptionKinds<FileMount> = {
  path: kindOf.text,
  files: {
    takes: `${fileSystemKind.takes}, or a function of the path that makes one`,
    holds: (value) => kindOf.callback.holds(value) || fileSystemKind.holds(value),
  },
  claims: kindOf.callback,
};

/**
 * Throws a TypeError that names the option for a missing root, a key that is no option, with near names, and a value of
 * the wrong kind.
 */
export function checkToolkitOptions(options: ToolkitOptions): void {
  assertOptions('createToolkit', options, optionKinds);
  const { root, hosts, shell, sandbox: confined, files, web, mcp, mounts = [], features } = options;
  if (typeof root !== 'string') throw new TypeError('createToolkit: pass root, the absolute path of the workspace');
  if (hosts !== undefined) assertOptions('createToolkit: hosts', hosts, hostKinds);
  if (shell !== undefined) assertOptions('createToolkit: shell', shell, shellKinds);
  if (confined !== undefined && !isSandboxFunction(confined)) assertSandbox('createToolkit: sandbox', confined);
  if (files !== undefined) assertOptions('createToolkit: files', files, fileKinds);
  if (mcp !== undefined) assertOptions('createToolkit: mcp', mcp, mcpKinds);
  if (web !== undefined) assertOptions('createToolkit: web', web, webKinds);
  if (web !== undefined && hosts?.http !== undefined)
    throw new TypeError('createToolkit: web cannot go with hosts.http; pass the same to createHttpClient');
  for (const mount of mounts) checkMount(mount);
  if (features !== undefined) assertOptions('createToolkit: features', features, featureKinds);
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

/** Settings of the disk do nothing where the host gives the files. */
function refuseDiskOptions({ additionalRoots = [], relativePaths, files }: ToolkitOptions): void {
  const useless = [
    ...(additionalRoots.length > 0 ? ['additionalRoots'] : []),
    ...(relativePaths === 'resolve' ? ['relativePaths'] : []),
    ...(files?.ripgrep === undefined ? [] : ['files.ripgrep']),
  ];
  if (useless.length > 0)
    throw new TypeError(
      `createToolkit: ${useless.join(', ')} cannot go with hosts.files; pass the same to hostFiles, or to your own file system`,
    );
}

function checkMount(mount: FileMount): void {
  assertOptions('createToolkit: mounts', mount, mountKinds);
  if (mount.path === undefined || mount.files === undefined)
    throw new TypeError('createToolkit: each of mounts has a path and files');
}
