import { createPermissions, type RulePermissions } from './access/create-permissions.js';
import type { ToolCall } from './core/call.js';
import type { Caller } from './core/context.js';
import { type LimitOverrides, resolveLimits } from './core/limits.js';
import { ToolRegistry } from './core/registry.js';
import type { Toolkit, TurnOptions } from './core/toolkit.js';
import { HostFiles } from './files/host-files.js';
import type { DeadLetters } from './host/dead-letters.js';
import type { ToolHooks } from './host/hooks.js';
import type { Hosts } from './host/hosts.js';
import type { PermissionMode, Permissions } from './host/permissions.js';
import type { PlanMode } from './host/plan-mode.js';
import type { Policy } from './host/policy.js';
import type { RateLimiter } from './host/rate-limiter.js';
import type { ToolResolver } from './host/tool-resolver.js';
import { runTurn } from './pipeline/execute-tools.js';
import { assertKnownKeys, type RetryOptions, resolveSettings } from './pipeline/settings.js';
import { guardShell } from './shell/guarded-shell.js';
import { HostShell } from './shell/host-shell.js';
import { createPlanMode } from './state/create-plan-mode.js';
import { ReadLedger } from './state/read-ledger.js';
import { SpillFolder } from './state/spill-folder.js';
import { assessCommand } from './text/command/assess-command.js';
import { createScrubber, type Scrubber } from './text/scrubber.js';
import { builtinTools } from './tools/builtin.js';

/** How commands run. */
export interface ShellSettings {
  /** Variables for every command, over the allowlisted ones of this process. */
  readonly env?: Readonly<Record<string, string>>;
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
  readonly policy?: Policy;
  readonly planMode?: PlanMode;
  readonly rateLimiter?: RateLimiter;
  /** `false` switches scrubbing off. */
  readonly scrubber?: Scrubber | false;
  readonly retry?: RetryOptions;
  readonly deadLetters?: DeadLetters;
  readonly toolResolver?: ToolResolver;
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
  shell: true,
  files: true,
  limits: true,
  concurrency: true,
} satisfies Record<keyof ToolkitOptions, true>;
const hostKeys = { files: true, shell: true } satisfies Record<keyof Hosts, true>;

/**
 * Wires the built-in tools to a workspace. The one place where everything meets: resources, tools, runs.
 * Throws a TypeError for a mistake in the options: a root that is not absolute or does not exist, an unknown key, mode or limit.
 */
export function createToolkit(options: ToolkitOptions): Toolkit {
  assertKnownKeys('createToolkit', options, optionKeys);
  const { hosts = {}, root, additionalRoots = [] } = options;
  if (typeof root !== 'string') throw new TypeError('createToolkit: pass root, the absolute path of the workspace');
  assertKnownKeys('hosts', hosts, hostKeys);

  const limits = resolveLimits(options.limits);
  const scrubber = options.scrubber ?? createScrubber();
  const permissions = resolvePermissions(options.permissions, root);
  const planMode = options.planMode ?? createPlanMode();
  const spill = new SpillFolder();
  const files =
    hosts.files ??
    new HostFiles({
      root,
      additionalRoots,
      relativePaths: options.relativePaths ?? 'reject',
      limits,
      isHidden: (path) => hidesPath(permissions, path, root),
      readOnlyRoots: () => (spill.path === undefined ? [] : [spill.path]),
    });
  const hostShell = new HostShell({
    roots: [files.root, ...additionalRoots],
    folder: spill,
    limits,
    env: options.shell?.env,
    ...(scrubber === false ? {} : { scrubber, learnSecrets: (values: readonly string[]) => scrubber.learn(values) }),
  });
  const shell = guardShell(hosts.shell ?? hostShell, assessCommand);

  const registry = new ToolRegistry();
  const tools = builtinTools({
    files,
    shell,
    ledger: new ReadLedger(limits.read.hashMaxBytes),
    assess: assessCommand,
    readBeforeWrite: options.files?.readBeforeWrite ?? false,
    limits,
  });
  registry.register(...tools).allow('Read', 'Glob', 'Grep');

  const { hooks, policy, rateLimiter, retry, deadLetters, toolResolver, concurrency } = options;
  const settings = resolveSettings({
    registry,
    permissions,
    hooks,
    policy,
    planMode,
    rateLimiter,
    scrubber,
    retry,
    deadLetters,
    toolResolver,
    concurrency,
    outputStore: spill,
    limits,
  });
  const execute = (calls: readonly ToolCall[], turn: TurnOptions = {}) => runTurn(calls, settings, turn);

  let disposal: Promise<void> | undefined;
  const dispose = () => (disposal ??= disposeAll([hostShell, files, spill]));
  return {
    registry,
    definitions: (caller: Caller = { sessionId: 'default' }) =>
      policy === undefined ? registry.definitions() : registry.definitions((tool) => policy.offers(tool, caller)),
    execute,
    get planQueue() {
      return planMode.queue;
    },
    runPlan: (turn) => {
      const calls = planMode.queue.map(({ callId, tool, input }) => ({ id: callId, name: tool, input }));
      planMode.exit();
      planMode.clear();
      if (isRulePermissions(permissions) && permissions.mode === 'plan') permissions.setMode('default');
      return execute(calls, turn);
    },
    clearPlan: () => planMode.clear(),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

function resolvePermissions(permissions: ToolkitOptions['permissions'], root: string): Permissions {
  if (permissions === undefined || typeof permissions === 'string') return createPermissions({ mode: permissions ?? 'default', root });
  return permissions;
}

function isRulePermissions(permissions: Permissions): permissions is RulePermissions {
  return 'setMode' in permissions && 'hidesPath' in permissions;
}

function hidesPath(permissions: Permissions, path: string, root: string): boolean {
  return isRulePermissions(permissions) && permissions.hidesPath(path, root);
}

interface Disposable {
  dispose(): Promise<void> | void;
}

/** Ends what can be ended, one after the other; one that fails does not keep the others alive. */
async function disposeAll(resources: readonly object[]): Promise<void> {
  const failures: unknown[] = [];
  for (const resource of resources) {
    try {
      if ('dispose' in resource) await (resource as Disposable).dispose();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some resources could not be disposed');
}
