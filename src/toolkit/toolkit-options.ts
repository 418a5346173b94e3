import { isAbsolute, resolve } from 'node:path';
import type { AnnounceListener } from '../agents/announce-queue.js';
import { runKinds } from '../call/run/run-option-kinds.js';
import type { RetryOptions } from '../call/run/settings.js';
import type { CallScope } from '../core/context.js';
import type { ToolEventListener } from '../core/event.js';
import type { LimitOverrides } from '../core/limits.js';
import type { RecordedChange } from '../core/registry/toolkit.js';
import { kindThatCame } from '../core/support/argument-mistake.js';
import { assertOptions, having, kindOf, type OptionKind, type OptionKinds, type OptionsOf, oneOf, orFalse, timersKind } from '../core/support/option-kinds.js';
import type { Timers } from '../core/support/timers.js';
import type { FileMount } from '../files/mounts/mounted-files.js';
import { existingFolder } from '../files/paths/confinement.js';
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
import { assertSandbox, isSandboxFunction, type SandboxOption, sandboxKind } from '../shell/sandbox/sandbox-option.js';
import { type WebSettings, webKinds } from '../web/fetch/create-http-client.js';
import type { RegistryFor } from './caller-registries.js';

/** How commands run. */
export interface ShellSettings extends OptionsOf<typeof shellKinds> {}

const shellKinds = {
  /** Variables for every command, over the allowlisted ones of this process. Default none. */
  env: kindOf.textsByName,
  /** Ask about a recursive delete of folders inside the roots instead of refusing it. Default false. */
  allowRecursiveDeleteInside: kindOf.flag,
  /** `cd` lasts from one command of a session to the next, inside the roots. Default false. */
  cwdPersists: kindOf.flag,
  /** At its time limit a command goes on in the background in place of being ended. Default false. */
  autoBackground: kindOf.flag,
  /**
   * Lets Bash run commands on a terminal of their own, which the tool `process` types into; needs the optional packages
   * `@lydell/node-pty` and `@xterm/headless`. Default false.
   */
  interactive: kindOf.flag,
  /**
   * Keeps stdout and stderr apart: results show the one and then the other, and their metadata holds each. Default
   * false: both in the order they are written.
   */
  separateOutput: kindOf.flag,
};

/** How files are changed. */
export interface FileSettings extends OptionsOf<typeof fileKinds> {}

const fileKinds = {
  /** Refuse to change a file that this session has not read. Default false. */
  readBeforeWrite: kindOf.flag,
  /**
   * After a change of a JSON, JavaScript or TypeScript file, tell of syntax errors that it brought in; the change
   * stays. Default false.
   */
  syntaxCheck: kindOf.flag,
  /** Answer a repeated Read of the same part of an unchanged file by naming the call that showed it. Default false. */
  namesUnchanged: kindOf.flag,
  /**
   * Keep what was read in memory for all sessions, as long as the file is in the same state; worth it where files are
   * slow to read. Default false.
   */
  cacheReads: kindOf.flag,
  /**
   * Absolute folder in which the record for undo survives a restart, for one toolkit at a time. Default: it is kept in
   * memory.
   */
  undoFolder: kindOf.absolutePath,
  /**
   * Path of the ripgrep program, or false to search without it. Default: found by the variable `TOOLWRIGHT_RIPGREP`,
   * the optional package, or PATH.
   */
  ripgrep: orFalse(kindOf.absolutePath),
};

/** How the tools of MCP servers are offered. */
export interface McpSettings extends OptionsOf<typeof mcpKinds> {}

const mcpKinds = {
  /** What their names begin with, up to the underscores that join server and tool; no rule goes by it. Default `mcp__`. */
  prefix: kindOf.text,
};

/** Parts that are off unless they are asked for. */
export interface Features extends OptionsOf<typeof featureKinds> {}

const featureKinds = {
  /** The tools UndoFile and UndoTurn; needed for `onFileChange` and `fileChanges`. Default false. */
  undo: kindOf.flag,
  /** The tools TodoRead, TaskCreate, TaskGet, TaskUpdate and TaskList. Default false. */
  tasks: kindOf.flag,
  /**
   * The tools TeamCreate, SendMessage and TeamDelete. Default: whether the environment variable
   * `CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS` is set to anything but 0 and false.
   */
  teams: kindOf.flag,
  /** The tools sessions_list, sessions_history, sessions_send and session_status. Default false. */
  sessions: kindOf.flag,
  /** The tool ApplyPatch, which changes several files at once, all or none. Default false. */
  applyPatch: kindOf.flag,
  /** The tools ApplyPatch, View and RestartShell, for calls of the native tool types of providers. Default false. */
  native: kindOf.flag,
  /** Offer the tools whose host is missing too, such as WebSearch without `hosts.search`. Default false. */
  offerAll: kindOf.flag,
};

/** What a toolkit is made from. Only `root` is required. */
export interface ToolkitOptions extends OptionsOf<typeof optionKinds> {
  /** The workspace: an absolute path of an existing folder. */
  readonly root: string;
}

const decider = having('permissions', 'check');

const optionKinds = {
  /** More folders that tools may work in: absolute paths. Default none. */
  additionalRoots: kindOf.absolutePaths as OptionKind<readonly string[]>,
  /** Whether relative paths in tool inputs are refused or taken from the root. Default `reject`. */
  relativePaths: oneOf('reject', 'resolve') as OptionKind<'reject' | 'resolve'>,
  /**
   * A mode name, what `createPermissions` gives, or anything with `check`. Default: mode `default` with nobody to ask.
   */
  permissions: {
    takes:
      'a mode name, what createPermissions({ allow, ask, deny }) gives, or what has a method check(request, scope)',
    holds: (value) => typeof value === 'string' || decider.holds(value),
  } as OptionKind<PermissionMode | Permissions>,
  /** What hears of each call before and after it, and may change or deny it. Default none. */
  hooks: runKinds.hooks as OptionKind<ToolHooks>,
  /** What your program puts in the place of files, shell, network, people, stores and servers. Default: see each. */
  hosts: kindOf.record as OptionKind<Hosts>,
  /**
   * A policy, or the configuration of one. Default: everything for the main agent, and for subagents what they may have
   * at their depth.
   */
  policy: runKinds.policy as OptionKind<Policy | PolicyConfig>,
  /** Knows which sessions plan, and queues their calls. Default: `createPlanMode()`. */
  planMode: runKinds.planMode as OptionKind<PlanMode>,
  /** Says whether a call may run now, such as `createRateLimiter({ max: 100 })`. Default: every call may. */
  rateLimiter: runKinds.rateLimiter as OptionKind<RateLimiter>,
  /**
   * Takes credentials out of all that leaves a call; `false` switches that off. Default: `createScrubber()`, with the
   * keys of the search service.
   */
  scrubber: runKinds.scrubber as OptionKind<Scrubber | false>,
  /** How often a call that failed and may be repeated is tried. Default: once. */
  retry: runKinds.retry as OptionKind<RetryOptions>,
  /** Keeps calls that failed in spite of `retry`, such as `createDeadLetters()`. Default: nothing keeps them. */
  deadLetters: runKinds.deadLetters as OptionKind<DeadLetters>,
  /** Finds or makes a tool by a name that the registry does not know. Default: such a call answers `unknown_tool`. */
  toolResolver: runKinds.toolResolver as OptionKind<ToolResolver>,
  /** Chooses the registry of each turn by its caller. Default: all have that of the toolkit. */
  registryFor: kindOf.callback as OptionKind<RegistryFor>,
  /**
   * A sandbox for commands, or one with its settings. Default: they run on this machine. A function is asked once for
   * each `sandboxKey` of callers, and once for those without; each key needs a sandbox of its own, and `undefined` means
   * this machine. It is asked again after the sessions that used the answer were ended.
   */
  sandbox: sandboxKind as OptionKind<SandboxOption>,
  /** How commands run. Default: see each. */
  shell: kindOf.record as OptionKind<ShellSettings>,
  /** How files are read and changed. Default: see each. */
  files: kindOf.record as OptionKind<FileSettings>,
  /** What WebFetch may reach. Default: every public address. */
  web: kindOf.record as OptionKind<WebSettings>,
  /** How the tools of MCP servers are named. Default: see each. */
  mcp: kindOf.record as OptionKind<McpSettings>,
  /** Places of the file tree that other file systems serve. Default none. */
  mounts: kindOf.list as OptionKind<readonly FileMount[]>,
  /** Tools that are off unless they are asked for. Default: see each. */
  features: kindOf.record as OptionKind<Features>,
  /**
   * Signs suspensions: at least 32 random characters or bytes, the same in every process that resumes them. Default
   * none, and `approvals: 'suspend'` and `resume` reject.
   */
  suspensionSecret: {
    takes: 'at least 32 characters or bytes',
    shown: (value) =>
      isSecret(value) ? `${value.length} ${typeof value === 'string' ? 'characters' : 'bytes'}` : kindThatCame(value),
    holds: (value) => isSecret(value) && value.length >= 32,
  } as OptionKind<string | Uint8Array>,
  /** Milliseconds for which a suspension can be resumed. Default 24 hours. */
  suspensionTtlMs: kindOf.milliseconds,
  /**
   * Takes the ends of background subagents, for the model of their parent: `batch.text`, with `scope.caller` as the
   * parent. One that throws is told again. Default: they come with the next result of the parent as `additionalContext`.
   */
  onAnnounce: kindOf.callback as OptionKind<AnnounceListener>,
  /**
   * Hears of each change that a tool made to a file, not of one that UndoFile or UndoTurn takes back; needs
   * `features.undo`. What it throws is swallowed. Default none.
   */
  onFileChange: kindOf.callback as OptionKind<(change: RecordedChange, scope: CallScope) => void>,
  /** Hears every event of every session, besides the listener of the turn; background tasks too. Default none. */
  onEvent: kindOf.callback as OptionKind<ToolEventListener>,
  /**
   * Other numbers than the defaults, by group, such as `{ bash: { timeoutMs: 60_000 } }`: durations in milliseconds, sizes
   * in bytes or characters. Default: `defaultLimits`.
   */
  limits: runKinds.limits as OptionKind<LimitOverrides>,
  /** Calls at the same time; 1 = strictly one after the other. Default 10. */
  concurrency: runKinds.concurrency as OptionKind<number>,
  /** Clock and timers of calls, commands, tasks, searches and the web, for tests. Default: those of the platform. */
  timers: timersKind as OptionKind<Timers>,
};

const isSecret = (value: unknown) => typeof value === 'string' || value instanceof Uint8Array;
const mountKinds: OptionKinds<FileMount> = {
  path: kindOf.text,
  files: {
    takes: `${fileSystemKind.takes}, or a function of the path that makes one`,
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
 * Throws a TypeError that names the option for a missing root, a key that is no option, with near names, and a value of
 * the wrong kind.
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
    throw new TypeError('createToolkit: web cannot go with hosts.http; pass the same to createHttpClient');
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
