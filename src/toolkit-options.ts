import type { PolicyConfig } from './access/policy-config.js';
import { assertKnownKeys } from './core/known-keys.js';
import type { LimitOverrides } from './core/limits.js';
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
}

/** What a toolkit is made from. Only `root` is required. */
export interface ToolkitOptions {
  /** The workspace: an absolute path of an existing folder. */
  readonly root: string;
  /** More folders that tools may work in. */
  readonly additionalRoots?: readonly string[];
  /** Whether relative paths in tool inputs are refused (default) or taken from the root. */
  readonly relativePaths?: 'reject' | 'resolve';
  /** A mode name, or anything with `check`. Default: mode `default` with nobody to ask. */
  readonly permissions?: PermissionMode | Permissions;
  readonly hooks?: ToolHooks;
  readonly hosts?: Hosts;
  /** A policy, or the configuration of one. Default: everything for the main agent, and for subagents what they may have at their depth. */
  readonly policy?: Policy | PolicyConfig;
  readonly planMode?: PlanMode;
  readonly rateLimiter?: RateLimiter;
  /** `false` switches scrubbing off. */
  readonly scrubber?: Scrubber | false;
  readonly retry?: RetryOptions;
  readonly deadLetters?: DeadLetters;
  readonly toolResolver?: ToolResolver;
  /** A sandbox for commands, or one with its settings. Default: they run on this machine. */
  readonly sandbox?: Sandbox | SandboxSettings;
  readonly shell?: ShellSettings;
  readonly files?: FileSettings;
  readonly limits?: LimitOverrides;
  /** Calls at the same time; 1 = strictly one after the other. Default `limits.call.maxConcurrent`. */
  readonly concurrency?: number;
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
  limits: true,
  concurrency: true,
} satisfies Record<keyof ToolkitOptions, true>;
const hostKeys = { files: true, shell: true } satisfies Record<keyof Hosts, true>;
const shellKeys = { env: true, allowRecursiveDeleteInside: true, cwdPersists: true, autoBackground: true } satisfies Record<
  keyof ShellSettings,
  true
>;
const fileKeys = { readBeforeWrite: true } satisfies Record<keyof FileSettings, true>;

/** Throws a TypeError, with near names, for a missing root or a key that is no option. */
export function checkToolkitOptions(options: ToolkitOptions): void {
  assertKnownKeys('createToolkit', options, optionKeys);
  if (typeof options.root !== 'string') throw new TypeError('createToolkit: pass root, the absolute path of the workspace');
  assertKnownKeys('createToolkit: hosts', options.hosts ?? {}, hostKeys);
  assertKnownKeys('createToolkit: shell', options.shell ?? {}, shellKeys);
  assertKnownKeys('createToolkit: files', options.files ?? {}, fileKeys);
}
