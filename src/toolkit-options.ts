import { isAbsolute } from 'node:path';
import type { PolicyConfig } from './access/policy-config.js';
import { assertKnownKeys } from './core/known-keys.js';
import type { LimitOverrides } from './core/limits.js';
import type { FileMount } from './files/mounted-files.js';
import type { DeadLetters } from './host/dead-letters.js';
import type { ToolHooks } from './host/hooks.js';
import type { Hosts } from './host/hosts.js';
import type { PermissionMode, Permissions } from './host/permissions.js';
import type { PlanMode } from './host/plan-mode.js';
import type { Policy } from './host/policy.js';
import type { RateLimiter } from './host/rate-limiter.js';
import type { Sandbox } from './host/sandbox.js';
import type { ToolResolver } from './host/tool-resolver.js';
import type { RetryOptions } from './pipeline/settings.js';
import type { Scrubber } from './text/scrubber.js';

/** How commands run. */
export interface ShellSettings {
  /** Variables for every command, over the allowlisted ones of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ask about a recursive delete of folders inside the roots instead of refusing it. Default false. */
  readonly allowRecursiveDeleteInside?: boolean;
  /** `cd` lasts from one command of a session to the next, inside the roots. Default false. */
  readonly cwdPersists?: boolean;
  /** At its time limit a command goes on in the background in place of being ended. Default false. */
  readonly autoBackground?: boolean;
  /** Keeps stdout and stderr apart: results show the one and then the other, and their metadata holds each. Default false: both in the order they are written. */
  readonly separateOutput?: boolean;
}

/** Where commands run apart from this machine. */
export interface SandboxSettings {
  readonly driver: Sandbox;
  /** What happens when the sandbox cannot be used: `refuse` (default) answers `sandbox_unavailable`, `host` runs on this machine and says so. */
  readonly onUnavailable?: 'refuse' | 'host';
  /** Lets a command ask for the machine itself with `dangerouslyDisableSandbox`. Default false. */
  readonly allowDisable?: boolean;
}

/** How files are changed. */
export interface FileSettings {
  /** Refuse to change a file that this session has not read. Default false. */
  readonly readBeforeWrite?: boolean;
  /** After a change of a JSON, JavaScript or TypeScript file, tell of syntax errors that it brought in; the change stays. Default false. */
  readonly syntaxCheck?: boolean;
  /** Answer a repeated Read of the same part of an unchanged file by naming the call that showed it. Default false. */
  readonly namesUnchanged?: boolean;
  /** Keep what was read in memory for all sessions, as long as the file is in the same state; worth it where files are slow to read. Default false. */
  readonly cacheReads?: boolean;
  /** Absolute folder in which the record for undo survives a restart. Default: it is kept in memory. */
  readonly undoFolder?: string;
}

/** Parts that are off unless they are asked for. */
export interface Features {
  /** The tools UndoFile and UndoTurn. */
  readonly undo?: boolean;
  /** Not in this version. */
  readonly teams?: false;
  /** Not in this version. */
  readonly tasks?: false;
}

/** What a toolkit is made from. Only `root` is required. */
export interface ToolkitOptions {
  /** The workspace: an absolute path of an existing folder. */
  readonly root: string;
  /** More folders that tools may work in. */
  readonly additionalRoots?: readonly string[] | undefined;
  /** Whether relative paths in tool inputs are refused (default) or taken from the root. */
  readonly relativePaths?: 'reject' | 'resolve' | undefined;
  /** A mode name, or anything with `check`. Default: mode `default` with nobody to ask. */
  readonly permissions?: PermissionMode | Permissions | undefined;
  readonly hooks?: ToolHooks | undefined;
  readonly hosts?: Hosts | undefined;
  /** A policy, or the configuration of one. Default: everything for the main agent, and for subagents what they may have at their depth. */
  readonly policy?: Policy | PolicyConfig | undefined;
  readonly planMode?: PlanMode | undefined;
  readonly rateLimiter?: RateLimiter | undefined;
  /** `false` switches scrubbing off. */
  readonly scrubber?: Scrubber | false | undefined;
  readonly retry?: RetryOptions | undefined;
  readonly deadLetters?: DeadLetters | undefined;
  readonly toolResolver?: ToolResolver | undefined;
  /** A sandbox for commands, or one with its settings. Default: they run on this machine. */
  readonly sandbox?: Sandbox | SandboxSettings | undefined;
  readonly shell?: ShellSettings | undefined;
  readonly files?: FileSettings | undefined;
  /** Places of the file tree that other file systems serve. */
  readonly mounts?: readonly FileMount[] | undefined;
  readonly features?: Features | undefined;
  readonly limits?: LimitOverrides | undefined;
  /** Calls at the same time; 1 = strictly one after the other. Default `limits.call.maxConcurrent`. */
  readonly concurrency?: number | undefined;
}

const optionKeys = {
  root: true,
  additionalRoots: true,
  relativePaths: true,
  permissions: true,
  hooks: true,
  hosts: true,
  policy: true,
  planMode: true,
  rateLimiter: true,
  scrubber: true,
  retry: true,
  deadLetters: true,
  toolResolver: true,
  sandbox: true,
  shell: true,
  files: true,
  mounts: true,
  features: true,
  limits: true,
  concurrency: true,
} satisfies Record<keyof ToolkitOptions, true>;
const hostKeys = { files: true, shell: true, documents: true, images: true } satisfies Record<keyof Hosts, true>;
const shellKeys = {
  env: true,
  allowRecursiveDeleteInside: true,
  cwdPersists: true,
  autoBackground: true,
  separateOutput: true,
} satisfies Record<keyof ShellSettings, true>;
const featureKeys = { undo: true, teams: true, tasks: true } satisfies Record<keyof Features, true>;
const fileKeys = {
  readBeforeWrite: true,
  syntaxCheck: true,
  namesUnchanged: true,
  cacheReads: true,
  undoFolder: true,
} satisfies Record<keyof FileSettings, true>;

/** Throws a TypeError, with near names, for a missing root or a key that is no option. */
export function checkToolkitOptions(options: ToolkitOptions): void {
  assertKnownKeys('createToolkit', options, optionKeys);
  if (typeof options.root !== 'string') throw new TypeError('createToolkit: pass root, the absolute path of the workspace');
  assertKnownKeys('createToolkit: hosts', options.hosts ?? {}, hostKeys);
  assertKnownKeys('createToolkit: shell', options.shell ?? {}, shellKeys);
  assertKnownKeys('createToolkit: files', options.files ?? {}, fileKeys);
  assertKnownKeys('createToolkit: features', options.features ?? {}, featureKeys);
  if (!isAbsolute(options.root)) throw new TypeError(`createToolkit: root must be an absolute path, not ${JSON.stringify(options.root)}`);
  const { teams, tasks } = (options.features ?? {}) as Readonly<Record<string, unknown>>;
  if (teams === true || tasks === true) throw new TypeError('createToolkit: features.teams and features.tasks are not in this version');
}
